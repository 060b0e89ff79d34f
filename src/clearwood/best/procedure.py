"""Procedure: from a table to the tree to use, step by step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from clearwood.best.amounts import accuracy_text
from clearwood.best.answer import Answer
from clearwood.best.judge import judge
from clearwood.best.look import Look, look_at
from clearwood.best.plan import BUDGET, make_plan
from clearwood.best.rule import choose
from clearwood.best.splits import make_scheme
from clearwood.best.stability import stability_of
from clearwood.best.wish import Wish, cost_table
from clearwood.best.work import do_work
from clearwood.evaluate.intervals import Interval, share_interval
from clearwood.learn.checks import check_flag, check_number
from clearwood.progress import show_bar
from clearwood.table import Table
from clearwood.wording import no_class_words

__all__ = ["best"]

FEWEST = 10  # rows


def best(
    X: Any,
    y: Any = None,
    *,
    leaves: int | None = None,
    features: int | None = None,
    accuracy: float | None = None,
    metric: str | None = None,
    cost_matrix: Any = None,
    budget: float = BUDGET,
    group: Any = None,
    time: Any = None,
    keep: Iterable[str] = (),
    drop_leaks: bool = False,
    random_state: int = 0,
    n_jobs: int | None = -1,
    progress: bool | None = None,
) -> Answer:
    """The tree to use, how good it is, and why this one.

    Looks at the data, grows trees of all learners in all sizes, takes the smallest that is as good as the best within
    one standard error, and judges that by doing it all again on rows that the judged tree has not seen.

    Parameters
    ----------
    X : Table, frame or array
        A Table has everything in it; with a frame or an array goes ``y``.
    y : array or None
        The class of each row.
    leaves, features : int or None
        The most leaves, or the most features, of the tree: then it is the best within these limits. A weighted
        sum counts as half a leaf more for each term beyond the first.
    accuracy : float or None
        The accuracy that suffices: then it is the smallest tree that reaches it in cross-validation.
    metric : {"accuracy", "balanced", "auc", "f1", "cost"} or None
        What counts. All but ``"auc"`` reach the learners too, as weights of the classes' rows and in the leaves'
        labels. None is ``"accuracy"``, or ``"cost"`` where there is a cost matrix.
    cost_matrix : array (n_classes, n_classes), mapping of (true, said) to cost, or None
        What it costs to say one class of a row of another: true classes down, said ones across. Errors that a mapping
        does not name cost 1.
    budget : float
        Seconds on two cores. It decides beforehand what is tried and how long; the clock decides nothing, unless the
        work takes five times as long (and two minutes), which the answer then says.
    group : name of a column, array or None
        Rows of a group stay together: all of them judge, or none. The column is not learned from.
    time : name of a column, array or None
        Trees are judged by rows of later times than those that they have seen. The column is not learned from. With
        both, the later rows are of other groups too.
    keep : names of columns
        Columns that are no identifiers, whatever they look like.
    drop_leaks : bool
        Whether to leave out columns that alone tell nearly every class.
    random_state : int
        The same number gives the same answer, for any ``n_jobs``.
    n_jobs : int or None
        Threads; -1 takes all cores.
    progress : bool or None
        None shows on a terminal what is being tried, True always, False never. Ctrl-C gives the best so far.

    Returns
    -------
    Answer

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import clearwood as cw
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> result = cw.best(X, y, budget=2)
    >>> result.tree.n_leaves, result.error < 0.1, result.interval.high > result.error
    (4, True, True)
    """
    keep = tuple(keep)
    check_number("budget", budget, 0, open_ends=True)
    check_number("random_state", random_state, 0, whole=True)
    check_flag("drop_leaks", drop_leaks)
    call = {
        "leaves": leaves, "features": features, "accuracy": accuracy, "metric": metric, "cost_matrix": cost_matrix,
        "budget": None if budget == BUDGET else budget, "group": group, "time": time, "keep": keep or None,
        "drop_leaks": drop_leaks or None, "random_state": random_state,
    }  # fmt: skip
    table, labels = _given(X, y)
    if cost_matrix is not None:
        cost_matrix = cost_table(cost_matrix, labels)
    wish = Wish(leaves, features, accuracy, metric or ("accuracy" if cost_matrix is None else "cost"), cost_matrix)
    wish.check()
    table, groups = _taken_out(table, group, "group")
    table, moments = _taken_out(table, time, "time")
    counted = table.counted
    seen = look_at(table, keep=keep, drop_leaks=drop_leaks, seed=int(random_state))
    answer = _answered(
        seen,
        wish,
        float(budget),
        None if groups is None else groups[counted],
        None if moments is None else moments[counted],
        int(random_state),
        n_jobs,
        progress,
    )
    tree = answer.tree._changed(classes=labels) if tuple(labels) != answer.tree.classes else answer.tree
    tree = tree.with_facts(data=table.name, accuracy=accuracy_text(answer) if answer.tells else "")
    return replace(answer, call={k: v for k, v in call.items() if v is not None}, tree=tree)


def _given(X: Any, y: Any) -> tuple[Table, tuple[Any, ...]]:
    from sklearn.base import BaseEstimator

    from clearwood.learn.inputs import training_table

    if isinstance(X, Table):
        if y is not None:
            raise ValueError("a Table brings its own target: call best(table) without y.")
        if not (X.y >= 0).any():
            raise ValueError(no_class_words(X.target))
        if not len(X.counted):
            raise ValueError("all rows with a class have weight 0; at least one row must count.")
        return X, X.classes
    return training_table(BaseEstimator(), X, y, None, None)


def _taken_out(table: Table, given: Any, what: str) -> tuple[Table, np.ndarray | None]:
    """The table without the column that was named, and its cells; or an array as it was given."""
    if given is None:
        return table, None
    if isinstance(given, str):
        if given not in table.feature_names:
            raise ValueError(f"{what}={given!r} is no column; they are {', '.join(table.feature_names[:20])}.")
        cells = table.column(given)
        place = table.index(given)
        missing = cells < 0 if table.columns[place].is_nominal else np.isnan(cells)
        if what == "time" and table.columns[place].is_nominal:
            raise ValueError(f"time={given!r} is nominal; read it as numbers or dates, which have an order.")
        rest = table.select([name for name in table.feature_names if name != given])
    else:
        cells, rest = np.asarray(given), table
        if cells.shape != (table.n_rows,):
            raise ValueError(f"{what} must hold one value for each of {table.n_rows} rows, got shape {cells.shape}.")
        missing = cells != cells  # NaN differs from itself
    if np.any(missing):
        raise ValueError(f"{what} is missing in {int(np.sum(missing))} rows; leave them out first.")
    return rest, np.unique(cells, return_inverse=True)[1]


def _answered(
    seen: Look,
    wish: Wish,
    budget: float,
    group: np.ndarray | None,
    time: np.ndarray | None,
    seed: int,
    n_jobs: int | None,
    progress: bool | None,
) -> Answer:
    table = seen.table
    too_few = _nothing_to_learn(seen)
    if too_few:
        return _majority_answer(seen, wish, too_few)
    n_classes = len(np.unique(table.y))
    most = wish.leaves
    plan = make_plan(table.n_rows, table.n_features, n_classes, budget, in_time=time is not None, most=most)
    scheme = make_scheme(table, plan.n_folds, seed, group, time)
    with show_bar("best", progress) as tell:
        work = do_work(table, scheme, plan, wish, seed, n_jobs, budget, tell)
    choice = choose(work, scheme.inner, scheme.whole, group)
    judged = judge(work, choice, group, seed)
    tells = judged.beats and choice.tree.n_leaves > 1
    if not tells:
        from clearwood.best.reasons import no_tree_words

        answer = _majority_answer(seen, wish, "")
        answer = replace(answer, choice=choice, judgement=judged, work=work, plan=plan)
        return replace(answer, reason=no_tree_words(answer))
    from clearwood.best.reasons import reason_words

    returns, n_regrown = stability_of(work, choice, plan, seed)
    answer = Answer(
        choice.tree, judged.error, judged.interval, "", True, seen, table, {}, choice, judged, work, plan, returns,
        n_regrown,
    )  # fmt: skip
    return replace(answer, reason=reason_words(answer))


def _nothing_to_learn(seen: Look) -> str:
    """Why no tree can be grown, or nothing."""
    table, target = seen.table, seen.table.target.name if seen.table.target else "class"
    if len(seen.classes) == 1:
        return f"all {table.n_rows} rows have the class {seen.classes[0]}: there is nothing to tell apart."
    if table.n_rows < FEWEST:
        return f"{table.n_rows} rows are too few to learn from and to judge by; at least {FEWEST} are needed."
    if not table.n_features:
        return f"no column is left that could tell {target}: {_gone(seen)}."
    return ""


def _gone(seen: Look) -> str:
    kinds = [
        (seen.empty, "all cells of {} are missing"),
        (seen.constant, "{} hold one value"),
        (seen.identifiers, "{} name the rows (keep=…, --keep keeps them)"),
        (tuple(leak.name for leak in seen.leaks) if seen.leaks_dropped else (), "{} were left out as leaks"),
    ]
    from clearwood.read.notes import name_some

    return "; ".join(words.format(name_some(names)) for names, words in kinds if names) or "there are no columns"


def _majority_answer(seen: Look, wish: Wish, why: str) -> Answer:
    """The class that costs least to say of all rows, as a tree of one leaf."""
    from clearwood.best.labels import labelled
    from clearwood.learn.distilled.trees import single_leaf

    table = seen.table
    counts = np.bincount(table.y, table.weights, minlength=len(table.classes))
    cost = wish.losses(counts)
    tree = labelled(single_leaf(table, table.classes, "majority"), table, table, cost)
    said = int(tree.leaf_class[0])
    share = counts / counts.sum()
    n = float(table.weights.sum() ** 2 / (table.weights**2).sum())
    if wish.metric in ("auc", "f1"):
        from clearwood.best.losses import f1

        error = 0.5 if wish.metric == "auc" else 1 - f1(table.y, np.full(table.n_rows, said), table.weights, len(share))
        interval = Interval(error, error, error)
    else:
        error = float(share @ cost[:, said])
        wrong = share_interval(float(1 - share[said]), n)
        scale = error / wrong.mean if wrong.mean > 0 else float(cost[:, said].max())
        interval = Interval(error, wrong.low * scale, wrong.high * scale)
    return Answer(tree, error, interval, why, False, seen, table)
