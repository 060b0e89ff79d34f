"""One tree for what a teacher knows: a forest, and the search for trees of every size on class weights."""
