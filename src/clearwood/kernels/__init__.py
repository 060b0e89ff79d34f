"""Everything compiled: kernels that see arrays and numbers only, and run without the GIL."""
