"""Rows down a finished tree one at a time, and cost-complexity pruning by its definition."""
