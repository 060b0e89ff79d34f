"""Sets of nominal values: the best of all, or the best cut of an order."""

import numpy as np
import pytest
from twin_comparison import grown

from clearwood import CARTClassifier
from clearwood.kernels.reference import cart_faults
from clearwood.table import Column, Table


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n_values", [4, 10, 11, 40])
@pytest.mark.parametrize("criterion", ["gini", "twoing", "gain"])
def test_value_sets_of_any_width(criterion, n_values, n_classes):
    """Up to ten values every set is tried; above that, cuts of the values ordered by a class's share."""
    rng = np.random.default_rng(n_values)
    for min_leaf in (1, 8):
        table = Table(
            [Column("x", tuple(f"v{i}" for i in range(n_values + 2)))],  # two values never occur
            [rng.integers(n_values, size=120)],
            target=Column("y", tuple("pqr")),
            y=rng.integers(n_classes, size=120),
            weights=rng.choice([0.5, 1.0, 2.0], size=120),
        )
        tree = grown(
            CARTClassifier(criterion=criterion, pruning=None, min_value_rows=1, min_leaf=min_leaf, max_depth=1), table
        )
        assert tree.n_leaves == 2
        assert cart_faults(tree, table, criterion, min_leaf=min_leaf, max_depth=1) == []
