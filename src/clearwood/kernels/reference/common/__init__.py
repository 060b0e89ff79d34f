"""The twins of what all rooms share, and what all twins use: tables as plain lists, and tolerant comparisons."""
