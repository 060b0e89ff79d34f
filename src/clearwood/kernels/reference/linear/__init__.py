"""The twins of the search for linear trees: rows and fitness by matrix products, ranking by its formula."""

from clearwood.kernels.reference.linear.ranking import expected_copies, rank_chances
from clearwood.kernels.reference.linear.tree import LinearRows, linear_fitness, rows_of_nodes

__all__ = ["LinearRows", "expected_copies", "linear_fitness", "rank_chances", "rows_of_nodes"]
