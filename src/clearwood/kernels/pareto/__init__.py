"""The best tree of every size, evolved on bitsets."""
