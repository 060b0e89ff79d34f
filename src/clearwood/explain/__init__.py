"""What a tree says, in words and figures: rules, importances, the path of one row."""
