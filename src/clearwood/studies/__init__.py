"""Studies: compare learners honestly on many tables, and reproduce what papers report."""
