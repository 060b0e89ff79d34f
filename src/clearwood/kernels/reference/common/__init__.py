"""The twins of what all rooms share."""
