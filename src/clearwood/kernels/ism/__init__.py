"""One tree that stands for an ensemble."""
