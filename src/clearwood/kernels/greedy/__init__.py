"""Trees grown from the top and pruned: ID3, C4.5, CART."""
