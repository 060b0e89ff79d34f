"""Rows sent down finished trees, and the errors that they meet there."""
