"""Kernels refuse arrays that do not agree, before an index can leave them."""

import numpy as np
import pytest

from clearwood.kernels.columns.order import filter_members, filter_order, sort_column
from clearwood.kernels.columns.ranks import rank_columns, separable_from
from clearwood.kernels.common.agreement import check_lengths, check_range
from clearwood.kernels.greedy.pessimistic_error import pessimistic_errors
from clearwood.kernels.linear.data import LinearData
from clearwood.kernels.oc1.oblique_finder import ObliqueFinder
from clearwood.kernels.oc1.split_impurity import impurity
from clearwood.kernels.pareto.bit_table import set_bits
from clearwood.kernels.pareto.gene import GENE
from clearwood.kernels.pareto.individuals import Individuals
from clearwood.kernels.routing.routes import most_probable
from clearwood.kernels.routing.weakest_links import price_links
from clearwood.kernels.subsets.subset_scores import SubsetScores


def ints(*numbers):
    return np.array(numbers, dtype=np.int32)


def linear_data(**changes):
    given = {
        "x": np.zeros((1, 3), dtype=np.float32),
        "codes": np.zeros((1, 3), dtype=np.int32),
        "n_values": ints(2),
        "y": ints(0, 1, 0),
        "weights": np.ones(3),
        "absent": np.zeros((1, 3), dtype=np.uint8),
        "n_classes": 2,
    }
    return LinearData(**given | changes)


def of_size(size):
    genes = np.zeros(3, dtype=GENE)
    genes["size"] = size
    return genes


DISAGREEING = {
    "sort_column": lambda: sort_column(np.zeros(5), np.zeros(3, dtype=np.int32)),
    "filter_order": lambda: filter_order(np.zeros((1, 5), dtype=np.int32), [0, 7], 5),
    "filter_order, below 0": lambda: filter_order(np.zeros((1, 5), dtype=np.int32), [0, -1], 5),
    "filter_order, rows": lambda: filter_order(np.zeros((1, 5), dtype=np.int32), [0, 1], 9),
    "filter_members": lambda: filter_members(
        np.zeros((1, 5), dtype=np.int32), np.ones(5, dtype=np.uint8), np.zeros((1, 2), dtype=np.int32)
    ),
    "rank_columns": lambda: rank_columns(np.zeros((2, 5)), np.zeros((1, 5), dtype=np.int32)),
    "separable_from": lambda: separable_from(np.zeros((1, 5)), np.zeros((1, 5), dtype=np.int32), ints(9), 0.0),
    "pessimistic_errors": lambda: pessimistic_errors(np.ones(3), np.ones(2), 0, 0.25, 0.7),
    "impurity": lambda: impurity(0, [1.0, 2.0], [1.0]),
    "set_bits": lambda: set_bits(np.zeros(1, dtype=np.uint64), ints(64)),
    "most_probable": lambda: most_probable(np.zeros((2, 3)), np.zeros(5, dtype=np.int32)),
    "price_links": lambda: price_links(np.zeros(3, dtype=np.int8), ints(1), ints(2), np.zeros(3)),
    "Individuals, too large": lambda: Individuals(1, 2).put(0, of_size(99)),
    "Individuals, nothing": lambda: Individuals(1, 2).put(0, of_size(0)),
    "LinearData, weights": lambda: linear_data(weights=np.ones(2)),
    "LinearData, classes": lambda: linear_data(y=ints(0, 2, 0)),
    "LinearData, codes": lambda: linear_data(codes=np.full((1, 3), 2, dtype=np.int32)),
    "ObliqueFinder": lambda: ObliqueFinder(np.zeros((1, 3)), ints(0, 1), np.ones(3), 2, 0, 1, 1),
    "ObliqueFinder, rows": lambda: ObliqueFinder(np.zeros((1, 2)), ints(0, 1), np.ones(2), 2, 0, 1, 1).split(
        ints(0, 5), True, 0, 0
    ),
    "SubsetScores": lambda: SubsetScores(
        np.zeros((2, 3), dtype=np.uint8), np.zeros((1, 2)), np.zeros((3, 2, 2), dtype=np.int32), np.zeros(2, np.uint8)
    ),
}


@pytest.mark.parametrize("call", DISAGREEING)
def test_arrays_that_disagree_are_refused(call):
    with pytest.raises(ValueError, match=r"must have the same length|must lie between"):
        DISAGREEING[call]()


def test_what_agrees_passes():
    check_lengths(rows=3, weights=3)
    check_lengths()
    check_range("codes", ints(), 0, 0)
    check_range("codes", ints(-1, 2), -1, 3)
