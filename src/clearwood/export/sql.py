"""SQL: score a database table with a tree, or fetch the rows of one leaf or class."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from clearwood.export.sql_columns import new_columns
from clearwood.export.sql_dialects import Dialect, find_dialect
from clearwood.export.sql_route import Route
from clearwood.export.sql_scoring import Scoring, leaf_route
from clearwood.export.sql_words import joined
from clearwood.spelling import did_you_mean

if TYPE_CHECKING:
    from clearwood.tree import Tree

__all__ = ["to_sql", "where_class", "where_leaf"]

_NEVER, _ALWAYS = "1 = 0", "1 = 1"


def to_sql(
    tree: Tree,
    table: str,
    dialect: str = "postgres",
    *,
    schema: str | None = None,
    predicted: str | None = None,
    probability: str | Sequence[str] | None = "probability_{class}",
    table_columns: Iterable[str] = (),
    leaf: int | None = None,
    only: Any = None,
) -> str:
    """A SELECT that adds a row's predicted class and class probabilities to all columns of a database table.

    Every row gets what :meth:`Tree.predict` and :meth:`Tree.predict_proba` say, also where a tested value is missing:
    NULL, NaN, a value that the tree's column does not declare, and in SQLite text without a digit in a numeric column.
    Numeric columns are compared as double precision, nominal ones as text. Truth values match in every form in which an
    engine holds them: booleans, 1 and 0, and text in any case. Dates are compared as timestamps, whether the table's
    column is one, with a time zone or without, or a date; in SQLite ISO text, to the millisecond. The order of the rows
    is the engine's own. The statement has no closing semicolon: it can stand in ``CREATE VIEW … AS`` or in brackets
    after FROM.

    A weighted sum of columns is added up in double precision, term by term as the tree does it. PostgreSQL alone stops
    with an error where such a sum, of values beyond 1e300, is too large for a double.

    In PostgreSQL ``SET jit = off`` saves seconds with a tree of more than some hundred leaves, which take longer to
    compile than to run.

    Parameters
    ----------
    tree : Tree
        The tree that scores.
    table : str
        The table's name, taken as one name whatever its characters.
    dialect : str
        ``"postgres"`` (or ``"postgresql"``), ``"sqlite"`` or ``"duckdb"``.
    schema : str, optional
        The schema that holds the table.
    predicted : str, optional
        What the column of predicted classes is called; ``predicted``, with a number if the tree has such a column.
    probability : str, sequence of str or None
        What the columns of probabilities are called: one name with ``{class}`` in it, one name for each class, or
        None to leave them out.
    table_columns : iterable of str
        Columns of the table that the tree does not know, for the new columns' names to differ from.
    leaf : int, optional
        Instead of scoring, fetch the rows that end in this leaf, a node number as :meth:`Tree.apply` gives it.
    only : optional
        Instead of scoring, fetch the rows predicted as this class.

    Returns
    -------
    str
        One SELECT statement.

    Examples
    --------
    >>> from clearwood import Column, Tree
    >>> tree = Tree(columns=[Column("age")], classes=["no", "yes"], kind=[1, 0, 0], feature=[0, -1, -1],
    ...             threshold=[30.5, float("nan"), float("nan")], first_child=[1, -1, -1], n_children=[2, 0, 0],
    ...             empty=[False] * 3, counts=[[5, 5], [4, 1], [1, 4]])
    >>> print(to_sql(tree, "patients", leaf=1))
    SELECT * FROM "patients" WHERE CAST("age" AS double precision) <= 30.5
    >>> import duckdb
    >>> database = duckdb.connect()
    >>> _ = database.execute("CREATE TABLE patients (age INTEGER)").execute("INSERT INTO patients VALUES (30), (NULL)")
    >>> database.execute(to_sql(tree, "patients", "duckdb") + " ORDER BY age").fetchall()
    [(30, 'no', 0.8, 0.2), (None, 'no', 0.5, 0.5)]
    """
    spoken = find_dialect(dialect)
    source = _table(spoken, table, schema)
    if leaf is not None:
        if only is not None:
            raise ValueError("leaf and only cannot be used together; give one of them.")
        return f"SELECT * FROM {source} WHERE {where_leaf(tree, leaf, dialect)}"
    code = None if only is None else _class_code(tree, only)
    names = new_columns(tree, spoken, predicted, probability, table_columns)
    prefix = "clearwood"
    while table.lower().startswith(prefix):  # or the table would hide behind a name of ours
        prefix += "_"
    route = Route(tree, spoken, "t.", lists=True)
    scoring = Scoring(tree, route, prefix)
    lists, joins = route.lists(prefix)
    rows = "\n".join([f"{source} AS t", *joins])
    parts = [*lists, scoring.leaves()]
    if tree.n_nodes > 1:
        parts += [scoring.gaps(rows), *scoring.walking(), scoring.answers()]
    answers = scoring.name("answers" if tree.n_nodes > 1 else "leaves")
    head = f"{spoken.recursive} " + ",\n".join(parts)
    key = scoring.key() if tree.n_nodes > 1 else leaf_route(0)
    if code is not None:
        label = scoring.labels[code]
        return f"{head}\nSELECT t.*\nFROM {rows}\nJOIN {answers} AS a\nON a.route = {key}\nWHERE a.class = {label}"
    found = ["class", *scoring.shown][: len(names)]
    added = [f"a.{column} AS {spoken.identifier(name)}" for column, name in zip(found, names, strict=True)]
    return f"{head}\nSELECT t.*, {', '.join(added)}\nFROM {rows}\nLEFT JOIN {answers} AS a\nON a.route = {key}"


def where_leaf(tree: Tree, leaf: int, dialect: str = "postgres") -> str:
    """A condition for WHERE that is true for exactly the rows that :meth:`Tree.apply` sends to a leaf.

    Rows that a missing value shares out over several branches end in no single leaf, so it is true for none of them.

    Parameters
    ----------
    tree : Tree
        The tree.
    leaf : int
        The leaf's node number.
    dialect : str
        As in :func:`to_sql`.

    Returns
    -------
    str
        A condition over the table's columns, by their own names.
    """
    spoken = find_dialect(dialect)
    if not isinstance(leaf, int) and hasattr(leaf, "__index__"):
        leaf = leaf.__index__()
    if not isinstance(leaf, int) or not 0 <= leaf < tree.n_nodes or not tree.is_leaf(leaf):
        some = ", ".join(str(node) for node in list(_leaves(tree))[:8])
        raise ValueError(f"leaf must be the number of one of the {tree.n_leaves} leaves ({some} …), got {leaf!r}.")
    conditions = Route(tree, spoken).conditions(leaf)
    if conditions is None:
        return _NEVER
    return joined(conditions, "AND") if conditions else _ALWAYS


def where_class(tree: Tree, label: Any, dialect: str = "postgres", *, table: str | None = None) -> str:
    """A condition for WHERE that is true for exactly the rows that :meth:`Tree.predict` gives a class.

    Rows that meet a missing value are included. Each of them is scored by itself in a subquery; for a large table with
    many such rows ``to_sql(tree, table, only=label)``, which scores equal rows once, is much faster.

    Parameters
    ----------
    tree : Tree
        The tree.
    label : object
        The class, as it stands in ``tree.classes``.
    dialect : str
        As in :func:`to_sql`.
    table : str, optional
        The table's name or alias in the statement around the condition, to write before each column. DuckDB needs it
        where a tested column is called like a function without brackets, such as ``user`` or ``current_date``.

    Returns
    -------
    str
        A condition over the table's columns, by their own names.

    Examples
    --------
    >>> from clearwood import Column, Tree
    >>> tree = Tree(columns=[Column("user", ("ann", "bob"))], classes=["no", "yes"], kind=[2, 0, 0],
    ...             feature=[0, -1, -1], threshold=[float("nan")] * 3, first_child=[1, -1, -1], n_children=[2, 0, 0],
    ...             empty=[False] * 3, counts=[[5, 4], [4, 1], [1, 3]])
    >>> import duckdb
    >>> database = duckdb.connect()
    >>> _ = database.execute("CREATE TABLE logins AS SELECT unnest(['ann', 'bob', NULL]) AS user")
    >>> database.execute("SELECT * FROM logins WHERE " + where_class(tree, "no", "duckdb", table="logins")).fetchall()
    [('ann',), (None,)]
    """
    spoken = find_dialect(dialect)
    code = _class_code(tree, label)
    if tree.n_nodes == 1:
        return _ALWAYS if tree.leaf_class[0] == code else _NEVER
    hidden = [name for name in tree.features if name.lower() in spoken.functions]
    if hidden and table is None:
        raise ValueError(
            f"{spoken.name} takes {', '.join(map(repr, hidden))} for a function in such a condition, not for a column; "
            f"name the table, as in where_class(tree, {label!r}, {spoken.name!r}, table='t')."
        )
    route = Route(tree, spoken, "" if table is None else f"{_table(spoken, table, None)}.")
    scoring = Scoring(tree, route)
    parts = ",\n".join([scoring.leaves(), scoring.this_row(), *scoring.walking()])
    choice = f"SELECT choice FROM {scoring.name('scan')} WHERE step = {tree.n_classes}"
    known = route.leaf(lambda leaf: str(int(tree.leaf_class[leaf])))
    return f"COALESCE({known}, ({spoken.recursive} {parts}\n{choice})) = {code}"


def _leaves(tree: Tree) -> Iterable[int]:
    return (node for node in tree.walk() if tree.is_leaf(node))


def _class_code(tree: Tree, label: Any) -> int:
    for code, known in enumerate(tree.classes):
        if known == label and isinstance(known, str) == isinstance(label, str):
            return code
    for code, known in enumerate(tree.classes):
        if str(known) == str(label):
            return code
    some = ", ".join(repr(c) for c in tree.classes[:8]) + (" …" if len(tree.classes) > 8 else "")
    raise ValueError(f"the class must be one of {some}, got {label!r}{did_you_mean(label, tree.classes)}")


def _table(dialect: Dialect, table: str, schema: str | None) -> str:
    if not isinstance(table, str):
        raise TypeError(f"table must be the name of a table, got {table!r}.")
    name = dialect.identifier(table)
    return name if schema is None else f"{dialect.identifier(schema)}.{name}"
