"""Rare: in a scanned table too, nominal values of few rows pass for one of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from clearwood.learn.rare_values import rare_codes
from clearwood.learn.scanned.nodes import Node
from clearwood.learn.scanned.questions import Questions

__all__ = ["put_rare_together"]


def put_rare_together(questions: Questions, least: float) -> dict[str, np.ndarray]:
    """From now on, let the rare values of each column count as the first of them; gives them by the column's name."""
    scan = questions.scan
    nominal = [feature for feature, column in enumerate(scan.columns) if column.is_nominal]
    if least <= 1 or not nominal:
        return {}
    found: dict[str, np.ndarray] = {}
    cells = list(scan._cells)
    for (_, feature), counts in questions.counts([Node.top(len(scan.classes))], nominal).items():
        column, known = scan.columns[feature], ~np.isnan(counts.value)
        codes = counts.value[known].astype(np.int64)
        rare = rare_codes(np.bincount(codes, counts.weight[known], minlength=column.n_values), least)
        if len(rare):
            found[column.name] = rare
            together = [float(rare[0]) if code in rare else code for code in cells[feature].results]
            cells[feature] = replace(cells[feature], results=tuple(together))
    questions.scan = replace(scan, _cells=tuple(cells))
    return found
