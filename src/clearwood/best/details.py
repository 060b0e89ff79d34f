"""Details: where a tree errs, and how far its probabilities can be believed, on rows that it had not seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.condition_wording import condition_words
from clearwood.explain.rules import merge
from clearwood.wording import percent, visible

if TYPE_CHECKING:
    from clearwood.best.answer import Answer

__all__ = ["by_class", "calibration", "calibration_figures", "class_figures", "worst_leaf"]

BINS = 10


def class_figures(answer: Answer) -> list[dict[str, Any]]:
    """For each class its rows, precision and recall."""
    judged = answer.judgement
    assert judged is not None
    truth, said = answer.table.y[judged.rows], judged.answers
    weights = answer.table.weights[judged.rows]
    found = []
    for code, label in enumerate(answer.table.classes):
        here, told = truth == code, said == code
        if not here.any() and not told.any():
            continue
        right = float(weights[here & told].sum())
        rows, claimed = float(weights[here].sum()), float(weights[told].sum())
        found.append(
            {
                "class": label,
                "rows": rows,
                "recall": right / rows if rows else None,
                "precision": right / claimed if claimed else None,
            }
        )
    return found


def by_class(answer: Answer) -> list[str]:
    """The same as lines of text."""
    figures = class_figures(answer)
    wide = max(5, *(len(visible(str(one["class"]))) for one in figures))
    lines = [f"{'class':<{wide}}{'rows':>9}{'recall':>9}{'precision':>11}"]
    for one in figures:
        recall, precision = (
            "never said" if value is None and key == "precision" else "–" if value is None else f"{100 * value:.1f} %"
            for key, value in ((key, one[key]) for key in ("recall", "precision"))
        )
        lines.append(f"{visible(str(one['class'])):<{wide}}{one['rows']:>9.6g}{recall:>9}{precision:>11}")
    return lines


def calibration_figures(answer: Answer) -> tuple[float, float, float]:
    """What the tree claims for its answers on average, how often they are right, and the mean gap over ten bins."""
    judged = answer.judgement
    assert judged is not None
    claimed = judged.chances[np.arange(len(judged.rows)), judged.answers]
    right = (answer.table.y[judged.rows] == judged.answers).astype(np.float64)
    weights = answer.table.weights[judged.rows]
    total = weights.sum()
    bins = np.minimum((claimed * BINS).astype(np.int64), BINS - 1)
    gap = np.bincount(bins, weights * claimed, BINS) - np.bincount(bins, weights * right, BINS)
    return float(claimed @ weights / total), float(right @ weights / total), float(np.abs(gap).sum() / total)


def calibration(answer: Answer) -> str:
    """How far the probabilities can be believed."""
    claimed, right, gap = calibration_figures(answer)
    return (
        f"Calibration: for its answers it claims {percent(claimed)} on average, and {percent(right)} are right; over "
        f"ten bins of claims the two differ by {100 * gap:.1f} points on average."
    )


def worst_leaf(answer: Answer) -> str:
    """The leaf whose rows were got wrong most often while they were held out."""
    judged, tree = answer.judgement, answer.tree
    assert judged is not None
    rows = answer.table.take(judged.rows)
    leaf = tree.apply(rows)
    wrong = (judged.answers != rows.y) * rows.weights
    known = leaf >= 0
    errors = np.bincount(leaf[known], wrong[known], tree.n_nodes)
    weight = np.bincount(leaf[known], rows.weights[known], tree.n_nodes)
    total = float(wrong.sum())
    if total <= 0 or not errors.any():
        return "Nowhere: no row was got wrong while it was held out."
    worst = int(np.argmax(errors))
    path = " and ".join(condition_words(c, 60) for c in merge(tree.path(worst))) or "everywhere"
    return (
        f"Most errors are made where {path}: {errors[worst]:.6g} of {total:.6g}, and "
        f"{percent(errors[worst] / weight[worst])} of the {weight[worst]:.6g} rows there, which it calls "
        f"{visible(tree.classes[int(tree.leaf_class[worst])])}."
    )
