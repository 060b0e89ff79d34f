"""SET-GEN: a genetic search over feature subsets."""
