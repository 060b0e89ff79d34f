"""Kim's experiment with evolutionary multi-objective search for trees of every size."""
