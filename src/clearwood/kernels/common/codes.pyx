"""The codes that Python and the kernels agree on; their meaning is in the .pxd file."""
