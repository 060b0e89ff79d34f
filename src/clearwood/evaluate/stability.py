"""Stability: how far models of the same learner, grown from different rows, predict alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from clearwood.table import Table

__all__ = ["agreement", "semantic_stability", "uniform_examples"]


def semantic_stability(
    models: Sequence[Any], table: Table, n_examples: int = 1000, rng: np.random.Generator | int = 0
) -> float:
    """The share of uniform random examples on which two models agree, averaged over all pairs of models.

    This is equation (5) of Van Assche and Blockeel (Seeing the forest through the trees, 2007), after Turney (1995),
    with the models those of the folds of one cross-validation. Its sums are printed with one term too many (examples
    0 to 1000, models from 0); read with 1000 examples and n (n - 1) / 2 pairs, as its factors say, it is a share.

    Parameters
    ----------
    models : sequence
        Two or more: trees, fitted estimators (anything with ``predict(table)``) or functions of a table. All must
        answer in the same terms, codes or labels.
    table : Table
        Where the domains of the features are taken from.
    n_examples : int
        How many examples are drawn.
    rng : numpy.random.Generator or int
        Where the examples come from; an int is a seed.

    Returns
    -------
    float
        From 0 to 1; NaN for fewer than two models.

    Examples
    --------
    >>> from clearwood.table import Column
    >>> table = Table([Column("age")], [[20.0, 60.0]])
    >>> young, middle_aged = (lambda t: t.column("age") > 40), (lambda t: t.column("age") > 48)
    >>> round(semantic_stability([young, middle_aged], table), 1)  # they differ between 40 and 48
    0.8
    """
    examples = uniform_examples(table, n_examples, rng)
    return agreement([_predict(model, examples) for model in models])


def uniform_examples(table: Table, n: int = 1000, rng: np.random.Generator | int = 0) -> Table:
    """Rows drawn uniformly and independently from the domain of each feature, without a class.

    A numeric feature is drawn from the interval between the least and the greatest value that the table holds, a
    nominal one from its declared values, whether or not they occur. A feature without any known value stays missing.

    >>> from clearwood.table import Column
    >>> table = Table([Column("age"), Column("sex", ("f", "m"))], [[31, 54], [0, 0]])
    >>> examples = uniform_examples(table, 500, rng=1)
    >>> examples.n_rows, bool(examples.column("age").min() >= 31), sorted(set(examples.column("sex").tolist()))
    (500, True, [0, 1])
    """
    if n < 1:
        raise ValueError(f"n must be at least 1, got {n}.")
    rng = np.random.default_rng(rng)
    numeric = np.full((len(table.numeric), n), np.nan)
    nominal = np.full((len(table.nominal), n), -1, dtype=np.int32)
    for column, slot in zip(table.columns, table.slots.tolist(), strict=True):
        if column.is_nominal:
            if column.n_values:
                nominal[slot] = rng.integers(column.n_values, size=n)
            continue
        known = table.numeric[slot][~np.isnan(table.numeric[slot])]
        if len(known):
            low, high, share = known.min(), known.max(), rng.random(n)
            numeric[slot] = np.clip(low * (1 - share) + high * share, low, high)  # high - low might overflow
    return Table.from_blocks(table.columns, numeric, nominal, target=table.target, name=table.name)


def agreement(predictions: object) -> float:
    """The share of examples on which two models agree, averaged over all pairs of models.

    ``predictions`` holds one row for each model: its classes, as codes or labels, of the same examples. The result is
    NaN for fewer than two models.

    >>> agreement([[0, 0, 1, 1], [0, 0, 1, 0], [0, 1, 1, 1]])
    0.6666666666666666
    """
    answers = np.asarray(predictions)
    if len(answers) < 2:
        return float("nan")
    if answers.ndim != 2 or answers.shape[1] == 0:
        raise ValueError(f"predictions must hold a row of examples for each model, got shape {answers.shape}.")
    n_models, n_examples = answers.shape
    votes = ((answers == answer).sum(axis=0) for answer in np.unique(answers))
    alike = sum(int((vote * (vote - 1)).sum()) for vote in votes)  # ordered pairs of models, over all examples
    return alike / (n_models * (n_models - 1) * n_examples)


def _predict(model: Any, examples: Table) -> np.ndarray:
    return np.asarray(model.predict(examples) if hasattr(model, "predict") else model(examples))
