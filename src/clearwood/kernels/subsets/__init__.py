"""Many trees from the same rows on subsets of the features."""
