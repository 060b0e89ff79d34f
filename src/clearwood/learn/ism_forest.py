"""Forest: an ensemble in the kernels' form, with what its trees say about the spread of each feature."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from clearwood.kernels.ism.forest import Forest
from clearwood.kernels.ism.forest_builder import add_tree
from clearwood.kernels.ism.marginals import add_parts, leaf_boxes
from clearwood.learn.ism_candidates import Candidates

if TYPE_CHECKING:
    from clearwood.learn.ensemble import Ensemble

__all__ = ["estimate_spread", "forest_of"]

ROUNDS = 15  # of the self-consistent estimate of the features' spread; more move the shares by less than 1 %
FLOOR = 1e-9  # the least share of a value or an interval


def forest_of(ensemble: Ensemble, candidates: Candidates) -> Forest:
    """The ensemble's trees in the kernels' form, with what they say about the spread of each feature."""
    columns = ensemble.columns
    n_values = np.array([column.n_values for column in columns], dtype=np.int64)
    first_word = np.concatenate([[0], np.cumsum(-(-n_values // 64))]).astype(np.int32)
    full = np.zeros(first_word[-1], dtype=np.uint64)
    set_word = np.zeros(len(candidates), dtype=np.int32)
    value_of = np.full(len(candidates), -1, dtype=np.int32)
    set_words: list[np.ndarray] = []
    n_words = 0
    for f, column in enumerate(columns):
        if column.is_nominal:
            full[first_word[f] : first_word[f + 1]] = _words(range(column.n_values), column.n_values)
        for values, i in candidates.sets[f].items():
            set_word[candidates.first[f] + i] = n_words
            value_of[candidates.first[f] + i] = values[0] if len(values) == 1 else -1
            set_words.append(_words(values, column.n_values))
            n_words += len(set_words[-1])
    forest = Forest(
        n_classes=len(ensemble.classes),
        nominal=np.array([column.is_nominal for column in columns], dtype=np.uint8),
        first_candidate=candidates.first,
        first_word=first_word,
        first_value=np.concatenate([[0], np.cumsum(n_values)]).astype(np.int32),
        full=full,
        feature_of=np.repeat(np.arange(len(columns)), np.diff(candidates.first)).astype(np.int32),
        set_word=set_word,
        set_words=np.concatenate([*set_words, np.zeros(0, dtype=np.uint64)]),
        tree_weight=np.array(ensemble.weights),
        value_of=value_of,
    )
    for tree in ensemble.trees:
        add_tree(
            forest,
            tree.kind,
            candidates.of_nodes(tree),
            tree.first_child,
            tree.n_children,
            tree.bags.sum(axis=1),
            tree.node_proba,
        )
    estimate_spread(forest)
    return forest


def _words(values: Iterable[int], n_values: int) -> np.ndarray:
    """A set of codes as bits."""
    bits = np.zeros(-(-n_values // 64) * 64, dtype=np.uint8)
    bits[list(values)] = 1
    return np.packbits(bits, bitorder="little").view(np.uint64)


def estimate_spread(forest: Forest) -> None:
    """Set the share of rows below each threshold, and with each value, to what the trees' leaves say together.

    A leaf knows of a feature only an interval, or a set of values. The shares are those that reproduce themselves when
    each leaf's rows are spread over its interval in proportion to them (Turnbull's self-consistent estimate).
    """
    feature, low, high, weight, set_feature, set_words, set_weight = leaf_boxes(forest)
    first = np.asarray(forest.first_candidate)
    n_features = forest.n_features
    # a feature with n thresholds has n + 1 pieces; those of all features lie in one array
    start = first[:-1] + np.arange(n_features)
    begin, end = low + 1 + feature, high + 1 + feature
    owner = np.repeat(np.arange(n_features), np.diff(first) + 1)
    pieces = 1.0 / (np.diff(first) + 1)[owner]
    heard = np.bincount(feature, weight, minlength=n_features) > 0
    for _ in range(ROUNDS if len(feature) else 0):
        below = np.concatenate([[0.0], np.cumsum(pieces)])
        begins, ends = np.zeros((2, len(below)))
        add_parts(begin, end, weight, below, FLOOR, begins, ends)
        density = np.cumsum(begins - ends)[:-1]
        pieces = np.where(heard[owner], pieces * np.maximum(density, 0.0), pieces) + FLOOR
        pieces /= np.bincount(owner, pieces, minlength=n_features)[owner]
    inner = np.ones(len(pieces), dtype=bool)
    inner[start + np.diff(first)] = False
    below = np.clip((np.cumsum(pieces) - owner)[inner], 0.0, 1.0)  # the pieces of each feature add up to 1
    forest.set_spread(below, _value_shares(forest, set_feature, set_words, set_weight))


def _value_shares(forest: Forest, feature: np.ndarray, words: np.ndarray, weight: np.ndarray) -> np.ndarray:
    first = np.asarray(forest.first_value)
    shares = np.zeros(first[-1])
    for f in range(forest.n_features):
        n = int(first[f + 1] - first[f])
        if n == 0:
            continue
        here = feature == f
        share = np.full(n, 1.0 / n)
        if here.any():
            sets, inverse = np.unique(words[here], axis=0, return_inverse=True)
            of_set = np.bincount(inverse.ravel(), weight[here])
            member = np.unpackbits(sets.view(np.uint8), axis=1, bitorder="little")[:, :n].astype(np.float64)
            for _ in range(ROUNDS):
                share = share * (member.T @ (of_set / np.maximum(member @ share, FLOOR))) + FLOOR
                share /= share.sum()
        shares[first[f] : first[f + 1]] = share
    return shares
