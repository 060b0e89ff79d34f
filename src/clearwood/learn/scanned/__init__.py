"""Trees grown from a Scan: counted by its engine where nodes are large, by the kernels where they fit into memory."""
