"""SET-GEN's experiment."""
