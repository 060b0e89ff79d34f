"""C4.5, ID3 and CART, step by step as they are specified."""
