"""Oblique tests by coordinate descent."""
