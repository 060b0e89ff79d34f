"""Nominal planes: trees whose weighted sums also ask whether nominal columns have certain values."""

from __future__ import annotations

import numpy as np

from clearwood.conditions import Kind
from clearwood.table import Column
from clearwood.tree import Tree
from clearwood.tree_builder import TreeBuilder

__all__ = ["sky_tree", "with_nominal_terms"]

SKY = Column("sky", ("sun", "rain", "fog", "hail"))


def sky_tree(missing: int = -1) -> Tree:
    """Wind and two values of the sky in one sum, and below it a test of the sky alone."""
    build = TreeBuilder([Column("wind"), SKY], ["go", "stay"])
    below = build.subset("sky", ["rain", "hail"], [build.leaf([3, 1]), build.leaf([0, 4])])
    terms = {("sky", "rain"): 2.0, "wind": 0.1, ("sky", "fog"): -1.0}
    return build.build(build.linear(terms, 0.5, [build.leaf([6, 1]), below], missing=missing))


def with_nominal_terms(rng: np.random.Generator, tree: Tree, most_numbers: int = 2) -> Tree:
    """The tree with its sums replaced: up to four values and some numbers each, none twice; some have no number."""
    pairs = [(f, c) for f, column in enumerate(tree.columns) for c in range(column.n_values)]
    numbers = [(f, -1) for f, column in enumerate(tree.columns) if not column.is_nominal]
    sums = []
    for _ in range(3):  # few, so that paths meet one twice
        values = [pairs[i] for i in rng.permutation(len(pairs))[: rng.integers(1, 5)]]
        terms = values + [numbers[i] for i in rng.permutation(len(numbers))[: rng.integers(0, most_numbers + 1)]]
        sums.append([(*terms[i], float(rng.choice([-2.0, -1.0, 0.5, 1.0, 3.0]))) for i in rng.permutation(len(terms))])
    taken = [sums[rng.integers(3)] if kind == Kind.LINEAR else [] for kind in tree.kind]
    return tree._changed(
        weight_start=np.cumsum([0, *map(len, taken)]),
        weight_features=[feature for terms in taken for feature, _, _ in terms],
        weight_codes=[code for terms in taken for _, code, _ in terms],
        weight_values=[weight for terms in taken for _, _, weight in terms],
    )
