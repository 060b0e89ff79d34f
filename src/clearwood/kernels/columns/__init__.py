"""Columns put in order, once for each table."""
