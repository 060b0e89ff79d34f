"""Trees of every size by evolutionary multi-objective search, C4.5 and variable-node C4.5, as Kim compares them."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from clearwood.studies.reproduction import Reproduction
from clearwood.studies.study import Study
from clearwood.table import Table

__all__ = ["STUDY", "EmoStudy"]


class EmoStudy(Study):
    """The study knows how to make the artificial set, and leaves out rows with missing values, as the paper does."""

    def read(self, data: str, folder: Path | None = None) -> Table:
        if data == "artificial":
            from clearwood.studies.emo.artificial import artificial_table

            return artificial_table()
        table = super().read(data, folder)
        if data == "wpbc" and "time" in table.feature_names:
            table = table.select([name for name in table.feature_names if name != "time"])
        return table.take(~np.isnan(table.numeric).any(axis=0)) if np.isnan(table.numeric).any() else table

    def published(self) -> dict[str, dict[str, float]]:
        """The paper's accuracies as shares, so that the report of any study can be made of them."""
        return {
            data: {name: 1 - row[f"{name}_error"] / 100 for name in self.columns} for data, row in self.rows().items()
        }

    def rows(self) -> Mapping[str, dict[str, float]]:
        """Tables 11.1 and 11.2 by data set and heading."""
        with (self.folder / "published.csv").open(encoding="utf-8", newline="") as file:
            return {
                row["data"]: {key: float(value) for key, value in row.items() if key != "data"}
                for row in csv.DictReader(file)
            }


def _learners() -> dict[str, Any]:
    from clearwood.studies.emo.learners import full_learners

    return full_learners()


def _quick_learners() -> dict[str, Any]:
    from clearwood.studies.emo.learners import quick_learners

    return quick_learners()


def _report(*parts: Any) -> Reproduction:
    from clearwood.studies.emo.report import EmoReproduction

    return EmoReproduction(*parts)


STUDY = EmoStudy(
    name="emo",
    title="The best tree of every size",
    source=(
        "D. Kim, Minimizing structural risk on decision tree classification, in Multi-Objective Machine Learning "
        "(2006), Tables 11.1 and 11.2, Figures 11.5 to 11.9"
    ),
    folder=Path(__file__).parent,
    learners=_learners,
    columns={name: f"{name}_error" for name in ("c45", "variable", "emo100", "emo1000")},
    cv=10,
    repeats=10,
    files={"bupa": "liver-disorders"},
    quick=("artificial", "iris", "wine", "glass"),
    quick_learners=_quick_learners,
    report=_report,
)
