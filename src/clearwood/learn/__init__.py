"""Learners: each grows one Tree from a Table."""
