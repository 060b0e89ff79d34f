"""Twins of the search on class weights and of the forest: tests by brute force, prices by walking, votes one by one."""
