"""The page: trees to look at, choose from and try out, in one file."""
