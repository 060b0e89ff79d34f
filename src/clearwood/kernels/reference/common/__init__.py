"""What all twins use: tables as plain lists, and tolerant comparisons."""
