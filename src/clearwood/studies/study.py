"""Study: a paper's experiment as a value: its published figures, its learners, its data."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clearwood.studies.reproduction import Reproduction
    from clearwood.table import Table

__all__ = ["Study"]


@dataclass(frozen=True)
class Study:
    """An experiment that a paper reports, ready to be run again.

    Attributes
    ----------
    name, title, source : str
        What it is called on the command line, what it is in a line, and the paper and table.
    folder : Path
        Where ``published.csv`` and ``notes.md`` are.
    learners : callable
        Makes the learners by name; a function, so that listing studies loads none of them.
    columns : mapping of str to str
        For each learner the column of ``published.csv`` that holds its accuracy in per cent.
    cv, repeats : int
        The folds of one cross-validation, and how often it is repeated.
    files : mapping of str to str
        The data set to read where its name differs from the paper's.
    averages : mapping
        For each learner the averages over all data sets that the paper gives besides, by score: stability in per cent.
    fewer : mapping of str to int
        Data sets on which the cross-validation is repeated fewer times, and how often: the large ones.
    quick : tuple of str
        The paper's names of the data sets that ``--quick`` takes, with one repeat.
    quick_learners : callable or None
        Makes the learners of ``--quick``, where the full ones would take too long.
    report : callable or None
        Makes a Reproduction of the study's own kind, where the paper's tables have another form than accuracies.
    run : callable or None
        Runs the study, where it is more than a repeated cross-validation; takes the study and the options of
        :func:`~clearwood.studies.reproduce.run_again`.
    """

    name: str
    title: str
    source: str
    folder: Path
    learners: Callable[[], dict[str, Any]]
    columns: Mapping[str, str]
    cv: int = 10
    repeats: int = 5
    files: Mapping[str, str] = field(default_factory=dict)
    averages: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    fewer: Mapping[str, int] = field(default_factory=dict)
    quick: tuple[str, ...] = ()
    quick_learners: Callable[[], dict[str, Any]] | None = None
    report: Callable[..., Reproduction] | None = None
    run: Callable[..., Reproduction] | None = None

    def published(self) -> dict[str, dict[str, float]]:
        """The paper's accuracies as shares: by data set, in the paper's order, then by learner."""
        with (self.folder / "published.csv").open(encoding="utf-8", newline="") as file:
            return {
                row["data"]: {learner: float(row[column]) / 100 for learner, column in self.columns.items()}
                for row in csv.DictReader(file)
            }

    def repeats_of(self, data: str, quick: bool = False) -> int:
        """How often the cross-validation of a data set is repeated."""
        return 1 if quick else min(self.repeats, self.fewer.get(data, self.repeats))

    def notes(self) -> str:
        """What the paper leaves open, and what was chosen."""
        return (self.folder / "notes.md").read_text(encoding="utf-8")

    def read(self, data: str, folder: Path | None = None) -> Table:
        """A data set by the paper's name: from the folder, else from where named data sets are looked for.

        Raises FileNotFoundError where it is not to be had.
        """
        from clearwood.read import datasets, read

        file = self.files.get(data, data)
        if folder is None:
            return datasets.load(file)
        for suffix in (".arff", ".arff.gz", ".names", ".parquet", ".csv"):
            path = folder / f"{file}{suffix}"
            if path.is_file():
                return read(path)
        raise FileNotFoundError(f"{folder} holds no file {file}.arff.")
