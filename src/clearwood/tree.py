"""Tree: an immutable decision tree: what people do with it, and the ways out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.table import Table
from clearwood.tree_arrays import TreeArrays
from clearwood.unknown_values import align_known, tested_columns

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    from matplotlib.axes import Axes

    from clearwood.explain.path import Explanation
    from clearwood.explain.rules import RuleList

__all__ = ["Tree"]


class Tree(TreeArrays):
    """A decision tree. Arrays are read-only; nodes are numbered so that children follow parents.

    Attributes
    ----------
    kind, feature, threshold : arrays, one item for each node
        The test (see :class:`~clearwood.conditions.Kind`); feature -1 and threshold NaN where unused. A LINEAR test
        has several features, so its feature is -1 too.
    first_child, n_children : arrays
        The children of node i are ``first_child[i] .. first_child[i] + n_children[i] - 1``, in branch order.
    set_start, set_values : arrays
        The codes that a SUBSET node sends to branch 0 are ``set_values[set_start[i]:set_start[i + 1]]``, ascending.
    weight_start, weight_features, weight_values, weight_codes : arrays
        The hyper-plane of a LINEAR node: columns ``weight_features[weight_start[i]:weight_start[i + 1]]``, those with
        the most influence first, and the weight of each, in the columns' own units. The row goes to branch 0 if the
        sum of weight times value, formed in that order, is at most the threshold. A term of a nominal column has the
        code of a value, and counts as 1 where the row has that value, else as 0; the code of a number is -1.
    missing : array
        The branch of a row whose tested value is missing or unknown to the tree; -1, the default, if such a row is
        shared out over the branches. A hyper-plane lacks its value if any number of it is missing.
    counts : array (n_nodes, n_classes)
        The class weights of the training rows at each node.
    bags : array (n_nodes, n_classes)
        The class weights that the parent's test put into the branch; for the root the same as counts. They differ
        from counts only where rows with missing values are shared out, and they decide the shares at prediction.
    empty : array of bool
        Leaves that no training row reached; a row that ends there is predicted with the parent's counts.
    columns, classes, target : the features, the class labels in order, the target's name
    laplace : bool
        Whether probabilities are Laplace-smoothed.
    costs : array (n_classes, n_classes) or None
        What it costs to say a class (across) of a row of a class (down): then the tree says what costs least. None
        says the most probable class.
    learner : str
        What grew the tree.
    remark : str
        What must be known of the rows behind the counts, such as that some were held back.
    data, accuracy : str
        The name of the table that it was grown from, and how good it is, in words, where something has judged it; a
        picture says both above the tree.
    spread : array or None
        For each column how far its values spread among the training rows (the standard deviation), NaN where that
        means nothing; for trees with hyper-planes, whose weights say little by themselves.
    """

    # -- use ------------------------------------------------------------------------------------

    def predict_proba(self, rows: Any, *, allow_unknown: bool = False, n_jobs: int | None = None) -> np.ndarray:
        """Class probabilities for rows: a Table, a frame, an array, a dict or a list of dicts.

        Columns are matched by name, those of an array by their order; a dict is one row, or columns. Only the columns
        that the tree tests are needed. A value that the tree does not know counts as missing, with a warning; where
        nearly all rows of a tested column hold such values it is a ValueError, unless ``allow_unknown`` is true.
        ``n_jobs`` threads share the rows, if they are many; -1 takes all cores.
        """
        return self._routing.probabilities(self._aligned(rows, allow_unknown), n_jobs=n_jobs)

    def predict(self, rows: Any, *, allow_unknown: bool = False, n_jobs: int | None = None) -> np.ndarray:
        """Class codes for rows: the most probable class, or what costs least; the first of equals.

        Rows, columns, unknown values and threads are taken as by :meth:`predict_proba`.
        """
        return self._routing.predicted(self._aligned(rows, allow_unknown), n_jobs)

    def apply(self, rows: Any, *, allow_unknown: bool = False, n_jobs: int | None = None) -> np.ndarray:
        """The leaf of each row; -1 where a missing value sends the row to several, which ``missing`` can prevent.

        Rows, columns, unknown values and threads are taken as by :meth:`predict_proba`.
        """
        return self._routing.leaves(self._aligned(rows, allow_unknown), n_jobs)

    def _aligned(self, rows: Any, allow_unknown: bool) -> Table:
        return align_known(self, self.table_of(rows), allow_unknown=allow_unknown)

    def table_of(self, rows: Any) -> Table:
        """Rows in any of the forms that :meth:`predict` takes, as a Table with the columns that the tree tests."""
        if isinstance(rows, Table):
            return rows
        from clearwood.read.rows import rows_to_table

        return rows_to_table(rows, [column.name for column in self.columns], tested_columns(self))

    # -- the ways out (each lives in its own module, above this one) -----------------------------

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<Tree {self.learner}: {self.n_nodes} nodes, {self.n_leaves} leaves, depth {self.depth}>"

    def to_text(self, style: str = "people", **options: Any) -> str:
        """The tree as text: ``style="people"``, or ``"weka"`` for J48's own lines."""
        from clearwood.export.text import to_text

        return to_text(self, style, **options)

    def rules(self, include_empty: bool = False) -> RuleList:
        """One rule for each leaf that holds training rows, conditions merged, strongest support first."""
        from clearwood.explain.rules import rules

        return rules(self, include_empty=include_empty)

    def to_sql(self, table: str, dialect: str = "postgres", **options: Any) -> str:
        """A SELECT that scores a database table; see :func:`clearwood.export.sql.to_sql`."""
        from clearwood.export.sql import to_sql

        return to_sql(self, table, dialect, **options)

    def where_leaf(self, leaf: int, dialect: str = "postgres", *, missing: str | None = None) -> str:
        """The WHERE condition for the rows that end in one leaf; see :func:`clearwood.export.sql.where_leaf`."""
        from clearwood.export.sql import where_leaf

        return where_leaf(self, leaf, dialect, missing=missing)

    def where_class(
        self, label: Any, dialect: str = "postgres", *, missing: str | None = None, table: str | None = None
    ) -> str:
        """The WHERE condition for the rows predicted as one class; see :func:`clearwood.export.sql.where_class`."""
        from clearwood.export.sql import where_class

        return where_class(self, label, dialect, missing=missing, table=table)

    def to_dot(self) -> str:
        """The tree in Graphviz's DOT language."""
        from clearwood.export.dot import to_dot

        return to_dot(self)

    def to_python(self) -> str:
        """A Python module without dependencies that predicts; see :func:`clearwood.export.functions.to_python`."""
        from clearwood.export.functions import to_python

        return to_python(self)

    def to_javascript(self) -> str:
        """The same in JavaScript; see :func:`clearwood.export.functions.to_javascript`."""
        from clearwood.export.functions import to_javascript

        return to_javascript(self)

    def to_onnx(self) -> bytes:
        """A model for ONNX runtimes, in double precision; see :func:`clearwood.export.onnx_model.to_onnx`."""
        from clearwood.export.onnx_model import to_onnx

        return to_onnx(self)

    def to_pmml(self) -> str:
        """A model in PMML; see :func:`clearwood.export.pmml.to_pmml`."""
        from clearwood.export.pmml import to_pmml

        return to_pmml(self)

    def to_json(self) -> str:
        """The whole tree as versioned JSON that :meth:`from_json` checks and reads."""
        from clearwood.tree_json import dump

        return dump(self)

    @classmethod
    def from_json(cls, text: str) -> Tree:
        """Read a tree written by :meth:`to_json`; anything that is not a sound tree raises ValueError."""
        from clearwood.tree_json import load

        return load(text)

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the tree with matplotlib; see :func:`clearwood.view.figure.plot_tree`."""
        from clearwood.view.figure import plot_tree

        return plot_tree(self, ax=ax, **options)

    def to_svg(self, **options: Any) -> str:
        """The picture as SVG with real text and tooltips, without matplotlib; see :func:`clearwood.view.svg.to_svg`."""
        from clearwood.view.svg import to_svg

        return to_svg(self, **options)

    def _repr_html_(self) -> str:
        """What a notebook shows: the picture, of a very large tree its upper part."""
        deepest = None if self.n_leaves <= 200 else 5
        return f'<div style="overflow:auto;max-width:100%">{self.to_svg(max_depth=deepest)}</div>'

    def plot_partition(self, data: Any, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw how the tree divides the plane of two features; see :func:`clearwood.view.partition.plot_partition`."""
        from clearwood.view.partition import plot_partition

        return plot_partition(self, data, ax, **options)

    def to_page(self, path: str | PathLike[str], table: Table | None = None, **options: Any) -> Path:
        """Write a page on which people look at the tree and try it out; see :class:`clearwood.Page`."""
        from clearwood.view.page.page import Page

        return Page(self, table, **options).write(path)

    def importances(self) -> dict[str, float]:
        """For each feature the share of the impurity that its tests remove; see :mod:`clearwood.explain.importance`."""
        from clearwood.explain.importance import importances

        return importances(self)

    def explain(self, rows: Any, row: int | None = None) -> Explanation:
        """The path of one row in words, and what would have to change for another answer.

        ``rows`` is anything that :meth:`predict` takes; where it holds several rows, ``row`` says which.
        """
        from clearwood.explain.path import explain_row

        return explain_row(self, rows, row)

    def by(self, learner: str) -> Tree:
        """The same tree, said to be grown by another learner."""
        return self._changed(learner=learner)

    def remarked(self, remark: str) -> Tree:
        """The same tree with a remark on the rows behind its counts."""
        return self._changed(remark=remark)

    def with_facts(self, *, data: str | None = None, accuracy: str | None = None) -> Tree:
        """The same tree with what is known of it: the name of its data, and how good it is; None leaves it as it is.

        >>> leaf = Tree(columns=[], classes=["ill", "well"], kind=[0], feature=[-1], threshold=[float("nan")],
        ...             first_child=[-1], n_children=[0], empty=[False], counts=[[2, 8]])
        >>> leaf.with_facts(data="patients", accuracy="80.0 % right in 10-fold cross-validation").accuracy
        '80.0 % right in 10-fold cross-validation'
        """
        changes = {"data": data, "accuracy": accuracy}
        return self._changed(**{name: text for name, text in changes.items() if text is not None})

    def with_spread(self, spread: Sequence[float] | np.ndarray | None) -> Tree:
        """The same tree with another spread of its columns."""
        return self._changed(spread=spread)

    def with_costs(self, costs: Any) -> Tree:
        """The same tree, which says what costs least; None says the most probable class again.

        Parameters
        ----------
        costs : array (n_classes, n_classes) or None
            What it costs to say a class (across) of a row of a class (down).

        Examples
        --------
        >>> from clearwood import Table
        >>> tree = Tree(columns=[], classes=["ill", "well"], kind=[0], feature=[-1], threshold=[float("nan")],
        ...             first_child=[-1], n_children=[0], empty=[False], counts=[[2, 8]])
        >>> [tree.classes[t.leaf_class[0]] for t in (tree, tree.with_costs([[0, 9], [1, 0]]))]
        ['well', 'ill']
        """
        changed = self._changed(costs=costs)
        from clearwood.tree_check import check_tree

        check_tree(changed)
        return changed

    def with_sets(self, sets: Sequence[Sequence[int]]) -> Tree:
        """The same tree with other sets of values: for each node the codes that go to branch 0, none but for SUBSET."""
        starts = np.cumsum([0, *map(len, sets)])
        return self._changed(set_start=starts, set_values=[code for codes in sets for code in codes])

    def with_missing(self, missing: Sequence[int] | np.ndarray) -> Tree:
        """The same tree with other branches for rows without the value: for each node a branch, or -1."""
        return self._changed(missing=missing)
