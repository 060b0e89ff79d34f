"""The twins of the Pareto search: what it finds, by trying everything."""
