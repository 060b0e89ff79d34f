"""Whether ``best`` is honest, and what it gives away: a study of our own."""
