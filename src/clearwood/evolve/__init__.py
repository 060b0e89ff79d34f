"""Learners that search: populations of trees or of feature subsets, and the loop that they share."""
