"""Page: trees to look at, choose from and try out, as one HTML file or in a notebook."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from clearwood.evaluate.fronts import Front, FrontEntry, join_fronts
from clearwood.evaluate.structural_risk import choose_size, explain_choice
from clearwood.table import Table
from clearwood.tree import Tree
from clearwood.view.page.document import Reference, Stability, build_document
from clearwood.view.page.facts import facts_of
from clearwood.view.page.html import to_html
from clearwood.whole_file import write_whole
from clearwood.wording import plural

__all__ = ["Page"]


class Page:
    """A self-contained page about one tree or many.

    Parameters
    ----------
    trees : Tree, Front, FrontEntry, fitted learner, or a list of those
        What there is to look at. Learners bring their ``front_``, or else their ``tree_``.
    table : Table or None
        The rows that are counted, shown and steered by. Without a table the page has the counts in the trees.
    title : str
        What the page is called.
    chosen : Tree, FrontEntry, int or None
        The tree to begin with: itself, or its number of leaves. By default the choice of the learner or, of a
        cross-validated front, the smallest tree within one standard error of the best.
    reason : str or None
        Why that one; by default in the words of :meth:`ParetoTreeClassifier.explain_choice`.
    references : iterable of Reference
        Errors to draw as lines, such as that of a forest.
    facts : iterable of (name, text)
        How it was made; added to what the trees and the table say themselves.
    stability : iterable of Stability
        How often the splits of some of the trees return in resamples.
    data : bool
        False leaves every row out of the page: only counts remain.
    max_rows : int
        The most rows in the page; a larger table is sampled.

    Attributes
    ----------
    front : Front
        The trees.
    tree : Tree
        The chosen one.
    reason : str
        Why it was chosen.
    document : dict
        All that the page shows.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import clearwood as cw
    >>> table = cw.read(load_iris(as_frame=True).frame, target="target")
    >>> page = Page(cw.C45Classifier().fit(table), table, title="Iris")
    >>> page
    <Page 'Iris': 1 tree>
    >>> page.to_html()[:15]
    '<!doctype html>'
    """

    def __init__(
        self,
        trees: Any,
        table: Table | None = None,
        *,
        title: str = "",
        chosen: Tree | FrontEntry | int | None = None,
        reason: str | None = None,
        references: Iterable[Reference] = (),
        facts: Iterable[tuple[str, str]] = (),
        stability: Iterable[Stability] = (),
        data: bool = True,
        max_rows: int = 5000,
    ) -> None:
        if max_rows < 1:
            raise ValueError(f"max_rows must be at least 1, got {max_rows}.")
        self.front = trees if isinstance(trees, Front) else join_fronts(trees)
        if not len(self.front):
            raise ValueError("a page needs at least one tree, got none.")
        place, why = _choice(trees, self.front, chosen)
        self.tree = self.front[place].tree
        self.reason = why if reason is None else reason
        self.document: dict[str, Any] = build_document(
            self.front,
            table,
            title=title or (table.name if table is not None else ""),
            chosen=place,
            reason=self.reason,
            references=references,
            facts=[*facts_of(self.front, table, data), *facts],
            stability=stability,
            data=data,
            max_rows=max_rows,
        )

    def to_json(self) -> str:
        """The document that the page reads, whose format the guide describes."""
        return json.dumps(self.document, ensure_ascii=False, allow_nan=False)

    def to_html(self) -> str:
        """The page as text."""
        return to_html(self.document, f"{self.document['title']}\n\n{self.tree}\n\nThe page needs JavaScript.")

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the page to a file and return its path."""
        file = Path(path)
        write_whole(file, self.to_html().encode("utf-8", errors="xmlcharrefreplace"))
        return file

    def widget(self) -> Any:
        """The page as an anywidget view, which notebooks show."""
        from clearwood.view.page.widget import make_widget

        return make_widget(self.document)

    def _repr_html_(self) -> str:
        """The page in a frame of its own: for notebooks without anywidget, and for those that are exported."""
        frame = 'style="width:100%;height:680px;border:0" sandbox="allow-scripts allow-downloads allow-modals"'
        return f'<iframe {frame} title="{escape(self.document["title"])}" srcdoc="{escape(self.to_html())}"></iframe>'

    def _repr_mimebundle_(self, **options: Any) -> Any:
        from clearwood.view.page.widget import has_anywidget

        shown = {"text/html": self._repr_html_(), "text/plain": repr(self)}
        if not has_anywidget():
            return shown
        drawn = self.widget()._repr_mimebundle_(**options)
        found, metadata = drawn if isinstance(drawn, tuple) else (drawn, {})
        return (found or {}) | shown, metadata

    def __repr__(self) -> str:
        return f"<Page {self.document['title']!r}: {plural(len(self.front), 'tree')}>"


def _choice(trees: Any, front: Front, chosen: Tree | FrontEntry | int | None) -> tuple[int, str]:
    """The place of the tree to begin with, and why it is that one."""
    if isinstance(chosen, FrontEntry):
        chosen = chosen.tree
    if isinstance(chosen, Tree):
        for place, entry in enumerate(front):
            if entry.tree is chosen:
                return place, ""
        raise ValueError("chosen must be one of the trees of the page.")
    if chosen is not None:
        return front.place_of(chosen), ""
    if hasattr(trees, "explain_choice") and hasattr(trees, "tree_"):
        return _choice(trees, front, trees.tree_)[0], str(trees.explain_choice())
    if front.fold_errors is not None:
        choice = choose_size(front, "one_se")
        return front.place_of(choice.n_leaves), explain_choice(front, choice)
    judged = [entry.cv_error for entry in front]
    return (int(np.nanargmin(judged)), "") if not np.isnan(judged).all() else (len(front) - 1, "")
