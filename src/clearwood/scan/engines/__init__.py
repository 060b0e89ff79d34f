"""Engines: where a scanned table lies, one file for each kind of database."""
