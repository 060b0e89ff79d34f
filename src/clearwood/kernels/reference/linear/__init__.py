"""The twins of the search for linear trees: rows and fitness by matrix products, ranking, crossover, cuts."""

from clearwood.kernels.reference.linear.best_cut import plain_best_cut
from clearwood.kernels.reference.linear.crossover import Plane, cross_planes
from clearwood.kernels.reference.linear.ranking import expected_copies, rank_chances
from clearwood.kernels.reference.linear.tree import LinearRows, linear_fitness, rows_of_nodes

__all__ = [
    "LinearRows",
    "Plane",
    "cross_planes",
    "expected_copies",
    "linear_fitness",
    "plain_best_cut",
    "rank_chances",
    "rows_of_nodes",
]
