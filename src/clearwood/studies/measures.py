"""Measures: what each score is called, which way is better and how it reads."""

from __future__ import annotations

import math
from typing import NamedTuple

from clearwood.wording import duration, number

__all__ = ["MEASURES", "Measure", "measure"]


class Measure(NamedTuple):
    """A score's heading, whether more of it is better, and its form: share, number, size or time."""

    heading: str
    higher: bool
    form: str

    def text(self, value: float) -> str:
        """A value as a cell of a table; shares in per cent, nothing known as a dash.

        >>> MEASURES["accuracy"].text(0.94133), MEASURES["nodes"].text(8.2), MEASURES["nodes"].text(float("nan"))
        ('94.13', '8.2', '–')
        """
        if math.isnan(value):
            return "–"
        if self.form == "share":
            return f"{100 * value:.2f}"
        if self.form == "time":
            return duration(value)
        if self.form == "number":
            return f"{value:.3f}"
        return f"{value:.1f}" if value < 1e4 else number(value, 5)

    @property
    def unit(self) -> str:
        return "%" if self.form == "share" else ""


MEASURES: dict[str, Measure] = {
    "accuracy": Measure("accuracy", True, "share"),
    "error": Measure("error", False, "share"),
    "balanced_accuracy": Measure("balanced accuracy", True, "share"),
    "log_loss": Measure("log-loss", False, "number"),
    "brier": Measure("Brier score", False, "number"),
    "auc": Measure("AUC", True, "number"),
    "nodes": Measure("nodes", False, "size"),
    "leaves": Measure("leaves", False, "size"),
    "features": Measure("features", False, "size"),
    "depth": Measure("depth", False, "size"),
    "terms": Measure("features a test", False, "size"),
    "stability": Measure("stability", True, "share"),
    "fidelity": Measure("fidelity", True, "share"),
    "fit_seconds": Measure("fit time", False, "time"),
}


def measure(name: str) -> Measure:
    """What is known about a score; an unknown name raises ValueError with the nearest one."""
    from clearwood.learn.checks import check_choice

    check_choice("score", name, MEASURES)
    return MEASURES[name]
