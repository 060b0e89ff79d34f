"""Ways out of a tree: one format per file."""
