"""Answer: the tree to use, how good it is, and why this one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.best.judge import Judgement
from clearwood.best.look import Look
from clearwood.best.plan import Plan
from clearwood.best.rule import Choice
from clearwood.best.work import Work
from clearwood.evaluate.intervals import Interval
from clearwood.table import Table
from clearwood.tree import Tree

if TYPE_CHECKING:
    from os import PathLike

    from clearwood.evaluate.fronts import Front, FrontEntry

__all__ = ["Answer"]


@dataclass(frozen=True, eq=False)
class Answer:
    """What ``best`` has found.

    Attributes
    ----------
    tree : Tree
        The tree to use.
    error : float
        What is to be expected of it on new rows: its share of errors, or the loss that was asked for.
    interval : Interval
        The 95 % interval of that.
    reason : str
        Why this tree, in words; or why none.
    tells : bool
        Whether the columns tell the class: whether the tree does better than always saying one class.
    look : Look
        What was seen in the data.
    table : Table
        What was learned from.
    choice : Choice or None
        How the tree was chosen; None where there was nothing to choose from.
    judgement : Judgement or None
        How it was judged; None where that could not be done.
    stability : array or None
        For each node of the tree how often its split returns; NaN for leaves.
    call : mapping
        The options that give this answer again.
    """

    tree: Tree
    error: float
    interval: Interval
    reason: str
    tells: bool
    look: Look
    table: Table
    call: Mapping[str, Any] = field(default_factory=dict)
    choice: Choice | None = None
    judgement: Judgement | None = None
    work: Work | None = None
    plan: Plan | None = None
    stability: np.ndarray | None = None
    n_regrown: int = 0

    @property
    def learner(self) -> str:
        """What has grown the tree."""
        return self.tree.learner

    @property
    def front(self) -> Front:
        """The candidates that are worth looking at, by size, with their cross-validated errors."""
        from clearwood.best.front import shown
        from clearwood.evaluate.fronts import Front, entry_of

        if self.work is None or self.choice is None:
            return Front([entry_of(self.tree)])
        return self.as_named(shown(self.work, self.choice))

    def as_named(self, found: Front) -> Front:
        """Candidates with the classes as the user knows them, the tree to use among them."""
        from clearwood.evaluate.fronts import Front, entry_of

        entries = [replace(entry, tree=self._named(entry)) for entry in found]
        if any(entry.tree is self.tree for entry in entries):
            return Front(entries, found.fold_errors, found.test_share)
        return Front([*entries, entry_of(self.tree)])

    def _named(self, entry: FrontEntry) -> Tree:
        """The tree of a candidate with the classes as the user knows them; the chosen one knows how it was judged."""
        tree, choice = entry.tree, self.choice
        if self.tells and choice is not None and entry.learner == choice.key.learner and tree == choice.tree:
            return self.tree
        return tree if tree.classes == self.tree.classes else tree._changed(classes=self.tree.classes)

    def __str__(self) -> str:
        from clearwood.best.words import answer_words

        return answer_words(self)

    def __repr__(self) -> str:
        from clearwood.best.amounts import loss_name, value_text

        return f"<Answer: {self.tree!r}, {loss_name(self)} {value_text(self, self.error)}>"

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain values that JSON can hold."""
        from clearwood.best.plain import answer_dict

        return answer_dict(self)

    def page(self, path: str | PathLike[str], *, title: str = "", data: bool = True, max_rows: int = 5000) -> Path:
        """Write a page with the answer, the tree and the other candidates, to look at and try out.

        Parameters
        ----------
        path : path
            The HTML file.
        title : str
            What the page is called.
        data, max_rows
            Whether rows go into the page, and how many at most; see :class:`clearwood.Page`.
        """
        from clearwood.best.report import answer_page

        return answer_page(self, title=title, data=data, max_rows=max_rows).write(path)
