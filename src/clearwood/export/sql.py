"""SQL: score a database table with a tree, or fetch the rows of one leaf or class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from clearwood.conditions import Kind
from clearwood.explain.rules import merge
from clearwood.export.directions import all_directed, can_lack, takes_missing
from clearwood.export.sql_columns import new_columns
from clearwood.export.sql_dialects import Dialect, find_dialect
from clearwood.export.sql_plain import down_the_majority, plain_case, plain_rule
from clearwood.export.sql_route import Route
from clearwood.export.sql_scoring import Scoring, leaf_route
from clearwood.export.sql_words import joined
from clearwood.spelling import did_you_mean
from clearwood.wording import cut, plural, visible

if TYPE_CHECKING:
    from clearwood.tree import Tree

__all__ = ["to_sql", "where_class", "where_leaf"]

_NEVER, _ALWAYS = "1 = 0", "1 = 1"
FORMS = ("null", "majority", "exact")
MEANINGS = {
    "null": "gets NULL",
    "majority": "takes the branch with most training rows",
    "exact": "is shared out over the branches, as predict does it",
}
MOST_RULES = 32  # written a line each; more are put in brackets, or a chain of 1,000 would be 1,000 levels deep


def to_sql(
    tree: Tree,
    table: str,
    dialect: str = "postgres",
    *,
    missing: str | None = None,
    schema: str | Sequence[str] | None = None,
    predicted: str | None = None,
    probability: str | Sequence[str] | None = "auto",
    table_columns: Iterable[str] = (),
    leaf: int | None = None,
    only: Any = None,
) -> str:
    """A SELECT that adds a row's predicted class, and class probabilities, to all columns of a database table.

    What becomes of a row in which a tested value is missing decides the form; the statement's first line says it. NULL
    is missing, and so is a value that the tree's column does not declare.

    - ``"null"``: such a row gets NULL. One CASE with a line for each leaf.
    - ``"majority"``: it takes the branch with most training rows. One CASE inside another, that branch as ELSE.
    - ``"exact"``: it is shared out over the branches, so every row gets what :meth:`Tree.predict` and
      :meth:`Tree.predict_proba` say. A long statement.

    A tree whose training rows had the values that it tests is written as ``"null"``, one that met missing values as
    ``"exact"``. Where a test names a branch for such rows, all forms follow it; a tree in which every test does is
    written as ``"null"``, as none of its rows is shared out.

    The short forms take the table's columns as they are: numbers, text (cast only where the values look like numbers or
    truth values), timestamps or dates, which are compared in the session's time zone; in SQLite ISO text. Where no
    tested value is missing they say what :meth:`Tree.predict` says. NaN, which PostgreSQL and DuckDB hold greater than
    every number, and in SQLite text in a numeric column, must be NULL; DuckDB compares single-precision columns in
    single precision. MySQL and SQL Server match text by the column's collation, unless two values of the tree differ
    in case only.

    The exact form exists for PostgreSQL, SQLite and DuckDB. There NaN is missing too, and in SQLite text without a
    digit in a numeric column. Numeric columns are compared as double precision, nominal ones as text. Truth values
    match in every form in which an engine holds them: booleans, 1 and 0, and text in any case. Dates are compared as
    timestamps, whether the table's column is one, with a time zone or without, or a date; in SQLite ISO text, to the
    millisecond.

    The order of the rows is the engine's own. The statement has no closing semicolon: it can stand in
    ``CREATE VIEW … AS`` or in brackets after FROM.

    A weighted sum of columns is added up in double precision, term by term as the tree does it. PostgreSQL alone stops
    with an error where such a sum, of values beyond 1e300, is too large for a double. Where a term is about a value of
    a nominal column, a missing value is just another one, in every form: only missing numbers leave a row without the
    sum.

    In PostgreSQL ``SET jit = off`` saves seconds with a tree of more than some hundred leaves, which take longer to
    compile than to run.

    Parameters
    ----------
    tree : Tree
        The tree that scores.
    table : str
        The table's name, taken as one name whatever its characters.
    dialect : str
        ``"postgres"``, ``"sqlite"`` or ``"duckdb"``; in the short forms also ``"mysql"``, ``"sqlserver"``,
        ``"bigquery"``, ``"snowflake"``, ``"spark"`` or ``"clickhouse"``.
    missing : {"null", "majority", "exact"} or None
        What a row without a tested value gets; None chooses by the tree.
    schema : str or sequence of str, optional
        The schema that holds the table; or several names, each within the one before it, as a database and its schema.
    predicted : str, optional
        What the column of predicted classes is called; ``predicted``, with a number if the tree has such a column.
    probability : str, sequence of str or None
        What the columns of probabilities are called: one name with ``{class}`` in it, one name for each class, or
        None to leave them out. ``"auto"``: ``probability_{class}`` in the exact form, and none in the short ones,
        which repeat their rules for each such column.
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
    >>> tree = Tree(columns=[Column("age")], classes=["no", "yes"], learner="C4.5", kind=[1, 0, 0], feature=[0, -1, -1],
    ...             threshold=[30.5, float("nan"), float("nan")], first_child=[1, -1, -1], n_children=[2, 0, 0],
    ...             empty=[False] * 3, counts=[[5, 5], [4, 1], [1, 4]])
    >>> print(to_sql(tree, "patients"))
    -- C4.5 tree for class, 2 leaves. missing = null: a row without a tested value gets NULL.
    SELECT t.*,
      CASE
        WHEN t."age" <= 30.5 THEN 'no'
        WHEN t."age" > 30.5 THEN 'yes'
      END AS "predicted"
    FROM "patients" AS t
    >>> import duckdb
    >>> database = duckdb.connect()
    >>> _ = database.execute("CREATE TABLE patients (age INTEGER)").execute("INSERT INTO patients VALUES (30), (NULL)")
    >>> exact = to_sql(tree, "patients", "duckdb", missing="exact")
    >>> database.execute(exact + " ORDER BY age").fetchall()
    [(30, 'no', 0.8, 0.2), (None, 'no', 0.5, 0.5)]
    """
    spoken = find_dialect(dialect)
    source = _table(spoken, table, schema)
    form = _form(tree, spoken, missing)
    if leaf is not None and only is not None:
        raise ValueError("leaf and only cannot be used together; give one of them.")
    if leaf is not None:
        where = where_leaf(tree, leaf, dialect, missing=form)
        return f"{_heading(tree, form)}\nSELECT * FROM {source} WHERE {where}"
    code = None if only is None else _class_code(tree, only)
    if form != "exact":
        if code is not None:
            where = where_class(tree, only, dialect, missing=form)
            return f"{_heading(tree, form)}\nSELECT *\nFROM {source}\nWHERE {where}"
        names = new_columns(tree, spoken, predicted, None if probability == "auto" else probability, table_columns)
        return f"{_heading(tree, form)}\n{_short(tree, spoken, form, source, names)}"
    if probability == "auto":
        probability = "probability_{class}"
    names = new_columns(tree, spoken, predicted, probability, table_columns)
    return f"{_heading(tree, form)}\n{_exact(tree, spoken, table, source, names, code)}"


def _form(tree: Tree, dialect: Dialect, missing: str | None) -> str:
    """How missing values are treated, where it is not said: as the tree met them."""
    form = missing
    if missing is None:
        form = "exact" if tree.met_missing and not all_directed(tree) else "null"
    if form not in FORMS:
        raise ValueError(f"missing must be one of {', '.join(map(repr, FORMS))} or None, got {missing!r}.")
    if form == "exact" and not dialect.is_exact:
        met = "the tree met missing values, and " if missing is None else ""
        raise ValueError(
            f"{met}the form that shares them out (missing='exact') is written for postgres, sqlite and duckdb, not for "
            f"{dialect.name}; say missing='null' (they get NULL) or missing='majority' (the branch with most rows)."
        )
    return form


def _heading(tree: Tree, form: str) -> str:
    what = f"{tree.learner} tree" if tree.learner else "Tree"
    leaves = plural(tree.n_leaves, "leaf", "leaves")
    told = MEANINGS[form]
    tests = (tree.kind != Kind.LEAF).nonzero()[0].tolist()
    if tests and not any(can_lack(tree, node) for node in tests):
        told = "has none of the values that the sums ask for"
    elif form != "exact" and tests and all_directed(tree):
        told = "takes the branch that the test names for it"
    name = cut(visible(f"{what} for {tree.target}"), 80)
    return f"-- {name}, {leaves}. missing = {form}: a row without a tested value {told}."


def _short(tree: Tree, dialect: Dialect, form: str, source: str, names: Sequence[str]) -> str:
    labels = dialect.labels(tree.classes)
    if form == "majority":
        tree = down_the_majority(tree)
    chances = tree.node_proba
    writers: list[Callable[[int], str]] = [lambda leaf: labels[tree.leaf_class[leaf]]]
    for code in range(len(names) - 1):
        writers.append(lambda leaf, code=code: dialect.double(float(chances[leaf, code])))  # type: ignore[misc]
    added = [
        f"  {plain_case(tree, dialect, write)} AS {dialect.identifier(name)}"
        for write, name in zip(writers, names, strict=True)
    ]
    return "SELECT t.*,\n" + ",\n".join(added) + f"\nFROM {source} AS t"


def _exact(tree: Tree, dialect: Dialect, table: str, source: str, names: Sequence[str], code: int | None) -> str:
    """The statement that shares out rows with missing values."""
    prefix = "clearwood"
    while table.lower().startswith(prefix):  # or the table would hide behind a name of ours
        prefix += "_"
    route = Route(tree, dialect, "t.", lists=True)
    scoring = Scoring(tree, route, prefix)
    lists, joins = route.lists(prefix)
    rows = "\n".join([f"{source} AS t", *joins])
    parts = [*lists, scoring.leaves()]
    if tree.n_nodes > 1:
        parts += [scoring.gaps(rows), *scoring.walking(), scoring.answers()]
    answers = scoring.name("answers" if tree.n_nodes > 1 else "leaves")
    head = f"{dialect.recursive} " + ",\n".join(parts)
    key = scoring.key() if tree.n_nodes > 1 else leaf_route(0)
    if code is not None:
        label = scoring.labels[code]
        return f"{head}\nSELECT t.*\nFROM {rows}\nJOIN {answers} AS a\nON a.route = {key}\nWHERE a.class = {label}"
    found = ["class", *scoring.shown][: len(names)]
    added = [f"a.{column} AS {dialect.identifier(name)}" for column, name in zip(found, names, strict=True)]
    return f"{head}\nSELECT t.*, {', '.join(added)}\nFROM {rows}\nLEFT JOIN {answers} AS a\nON a.route = {key}"


def where_leaf(tree: Tree, leaf: int, dialect: str = "postgres", *, missing: str | None = None) -> str:
    """A condition for WHERE that is true for exactly the rows that :meth:`Tree.apply` sends to a leaf.

    Rows that a missing value shares out over several branches end in no single leaf, so it is true for none of them.
    With ``missing="majority"`` they follow the branch with most rows.

    Parameters
    ----------
    tree : Tree
        The tree.
    leaf : int
        The leaf's node number.
    dialect, missing
        As in :func:`to_sql`. The exact form differs from ``"null"`` in that it takes cells of other types too: numbers
        as text, NaN.

    Returns
    -------
    str
        A condition over the table's columns, by their own names.
    """
    spoken = find_dialect(dialect)
    form = _form(tree, spoken, missing)
    if not isinstance(leaf, int) and hasattr(leaf, "__index__"):
        leaf = leaf.__index__()
    if not isinstance(leaf, int) or not 0 <= leaf < tree.n_nodes or not tree.is_leaf(leaf):
        some = ", ".join(str(node) for node in list(_leaves(tree))[:8])
        raise ValueError(f"leaf must be the number of one of the {tree.n_leaves} leaves ({some} …), got {leaf!r}.")
    if form != "exact":
        return _rule_of(down_the_majority(tree) if form == "majority" else tree, leaf, spoken) or _NEVER
    conditions = Route(tree, spoken).conditions(leaf)
    if conditions is None:
        return _NEVER
    return joined(conditions, "AND") if conditions else _ALWAYS


def _rule_of(tree: Tree, leaf: int, dialect: Dialect, qualifier: str = "") -> str:
    """The plain conditions of a leaf; nothing if no row can end there."""
    conditions = merge(tree.path(leaf), keep_void=True)
    if any(condition.is_empty and not takes_missing(condition) for condition in conditions):
        return ""
    return plain_rule(conditions, dialect, qualifier)


def where_class(
    tree: Tree, label: Any, dialect: str = "postgres", *, missing: str | None = None, table: str | None = None
) -> str:
    """A condition for WHERE that is true for exactly the rows that :meth:`Tree.predict` gives a class.

    In the short forms it reads ``(rule) OR (rule)``; rows without a tested value are as the form says. In the exact
    form such rows are included. Each of them is scored by itself in a subquery; for a large table with many such rows
    ``to_sql(tree, table, only=label)``, which scores equal rows once, is much faster.

    Parameters
    ----------
    tree : Tree
        The tree.
    label : object
        The class, as it stands in ``tree.classes``.
    dialect, missing
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
    >>> condition = where_class(tree, "no", "duckdb", missing="exact", table="logins")
    >>> database.execute("SELECT * FROM logins WHERE " + condition).fetchall()
    [('ann',), (None,)]
    """
    spoken = find_dialect(dialect)
    code = _class_code(tree, label)
    form = _form(tree, spoken, missing)
    qualifier = "" if table is None else f"{_table(spoken, table, None)}."
    if tree.n_nodes == 1:
        return _ALWAYS if tree.leaf_class[0] == code else _NEVER
    if form != "exact":
        followed = down_the_majority(tree) if form == "majority" else tree
        leaves = (leaf for leaf in _leaves(followed) if followed.leaf_class[leaf] == code)
        rules = [f"({rule})" for leaf in leaves if (rule := _rule_of(followed, leaf, spoken, qualifier))]
        return ("\n   OR ".join(rules) if len(rules) <= MOST_RULES else joined(rules, "OR")) or _NEVER
    hidden = [name for name in tree.features if name.lower() in spoken.functions]
    if hidden and table is None:
        raise ValueError(
            f"{spoken.name} takes {', '.join(map(repr, hidden))} for a function in such a condition, not for a column; "
            f"name the table, as in where_class(tree, {label!r}, {spoken.name!r}, table='t')."
        )
    route = Route(tree, spoken, qualifier)
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


def _table(dialect: Dialect, table: str, schema: str | Sequence[str] | None) -> str:
    if not isinstance(table, str):
        raise TypeError(f"table must be the name of a table, got {table!r}.")
    around = (schema,) if isinstance(schema, str) else schema or ()
    return ".".join(dialect.identifier(name) for name in (*around, table))
