"""One small tree of what a teacher knows."""
