"""The best tree of every size: multi-objective search over the number of rules and the training error."""
