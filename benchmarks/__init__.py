"""Speed and memory beside other libraries: ``make bench``, or ``python -m benchmarks --help``."""
