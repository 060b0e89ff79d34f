"""Fronts with errors of one's choice."""

from __future__ import annotations

from clearwood import C45Classifier, Front, FrontEntry


def entry(n_leaves, error, **more):
    return FrontEntry(n_leaves, C45Classifier().fit([[0.0], [1.0]], ["a", "b"]).tree_, error, **more)


def front(errors, folds=None):
    """Sizes 2, 3 … with the given training errors."""
    return Front([entry(k + 2, error) for k, error in enumerate(errors)], folds, test_share=1 / 9)
