"""The small tree that is also the accurate one: a study of our own."""
