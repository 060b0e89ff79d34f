"""Columns put in order by Python's own sort."""
