"""Trees with hyper-planes, evolved as a whole."""
