"""Rules: one for each leaf, with its conditions merged."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.condition_wording import condition_words, influence_lines, influence_words
from clearwood.conditions import Condition, Plane
from clearwood.html import html_lines, html_table
from clearwood.wording import number, percent, plural, visible

if TYPE_CHECKING:
    import pandas as pd

    from clearwood.tree import Tree

__all__ = ["Rule", "RuleList", "merge", "rules", "rules_to_frame", "rules_to_json", "rules_to_text"]

LINE_WIDTH = 100  # of what stands below the rules


@dataclass(frozen=True, slots=True)
class Rule:
    """What a tree says about the rows of one leaf.

    Attributes
    ----------
    conditions : tuple of Condition
        At most one for each feature and hyper-plane, in the order in which the path first tests them. A row that
        no missing value shares out over several leaves meets them all if and only if it ends in this one.
    prediction, code : the predicted class: its label, and its position among the classes
    support : float
        The weight of the training rows in the leaf.
    share : float
        The same as a share of all training rows.
    confidence : float
        The share of those rows that have the predicted class. For a leaf without rows: of its parent's rows.
    lift : float
        The confidence divided by the share of the class among all training rows.
    leaf : int
        The leaf's node number.
    distribution : tuple of float
        The class weights in the leaf.
    target : str
        What is predicted.
    """

    conditions: tuple[Condition, ...]
    prediction: Any
    code: int
    support: float
    share: float
    confidence: float
    lift: float
    leaf: int
    distribution: tuple[float, ...]
    target: str = "class"

    def __str__(self) -> str:
        told = "; ".join(filter(None, map(influence_words, self.planes)))
        return self.sentence + (f" Influence of the terms: {told}." if told else "")

    @property
    def planes(self) -> list[Plane]:
        """The weighted sums that the conditions are about."""
        return [condition.plane for condition in self.conditions if condition.plane is not None]

    @property
    def sentence(self) -> str:
        """The rule alone; ``str(rule)`` also says how much the terms of its weighted sums matter."""
        premise = "In every case"
        if self.conditions:
            premise = "If " + " and ".join(condition_words(condition) for condition in self.conditions) + " then"
        rows = plural(self.support, "row") if self.support > 0 else "no rows"
        certainty = f"({rows}, confidence {percent(self.confidence)})"
        return f"{premise} {visible(self.target)} is {visible(self.prediction)} {certainty}."

    def to_sql(self, dialect: str = "postgres") -> str:
        """The conditions for WHERE, over columns of the types that the tree knows; NULL meets none of them.

        A row that no missing value shares out meets them if and only if it ends in this leaf. The dialects are those
        of :func:`clearwood.export.sql.to_sql`.

        >>> from clearwood.table import Column
        >>> rule = Rule((Condition(0, Column("age"), 20.0, 30.0),), "ill", 0, 3.0, 0.3, 1.0, 2.5, 4, (3.0, 0.0))
        >>> rule.to_sql()
        '"age" > 20 AND "age" <= 30'
        """
        from clearwood.export.sql_dialects import find_dialect
        from clearwood.export.sql_plain import plain_rule

        return plain_rule(self.conditions, find_dialect(dialect))


class RuleList(list[Rule]):
    """Rules that print as a numbered list."""

    def __str__(self) -> str:
        return rules_to_text(self)

    def to_frame(self) -> pd.DataFrame:
        """See :func:`rules_to_frame`."""
        return rules_to_frame(self)

    def to_json(self) -> str:
        """See :func:`rules_to_json`."""
        return rules_to_json(self)

    def __repr__(self) -> str:
        return rules_to_text(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: a table."""
        rows = [
            (
                i,
                " and ".join(map(condition_words, rule.conditions)) or "in every case",
                rule.prediction,
                number(rule.support, 4),
                percent(rule.confidence),
            )
            for i, rule in enumerate(self, start=1)
        ]
        target = self[0].target if self else "class"
        shown = html_table(["", "if", target, "rows", "confidence"], rows, numbers=(0, 3, 4))
        told = _influences(self)
        return shown + (html_lines("\n".join(told)) if told else "")


def rules(tree: Tree, include_empty: bool = False) -> RuleList:
    """One rule for each leaf that holds training rows, strongest support first, then confidence, then leaf number.

    Conditions on the same feature are merged into one, as are those on parallel hyper-planes with the same weights; one
    that excludes nothing is left out. Where a test names a branch for rows without the value, that branch's condition
    says ``(or missing)``.

    Parameters
    ----------
    tree : Tree
    include_empty : bool
        Whether leaves without training rows have a rule, with the support 0.

    Returns
    -------
    RuleList

    Examples
    --------
    >>> from clearwood.table import Column
    >>> from clearwood.tree import Tree
    >>> gap = float("nan")
    >>> tree = Tree(columns=[Column("age")], classes=["ill", "well"], kind=[1, 1, 0, 0, 0],
    ...             feature=[0, 0, -1, -1, -1], threshold=[30, 20, gap, gap, gap], first_child=[1, 3, -1, -1, -1],
    ...             n_children=[2, 2, 0, 0, 0], empty=[False] * 5, counts=[[4, 6], [3, 4], [1, 2], [0, 4], [3, 0]])
    >>> print(rules(tree))
    1. If age ≤ 20 then class is well (4 rows, confidence 100 %).
    2. If 20 < age ≤ 30 then class is ill (3 rows, confidence 100 %).
    3. If age > 30 then class is well (3 rows, confidence 67 %).
    """
    found = [_rule(tree, leaf, conditions) for leaf, conditions in _leaves(tree)]
    kept = [rule for rule in found if include_empty or rule.support > 0]
    return RuleList(sorted(kept, key=lambda rule: (-rule.support, -rule.confidence, rule.leaf)))


def merge(conditions: Iterable[Condition], *, keep_void: bool = False) -> tuple[Condition, ...]:
    """The conditions with at most one for each feature or hyper-plane, and none that excludes nothing.

    Those that all values meet, but not a missing one, are left out too, unless ``keep_void`` is true.

    >>> from clearwood.table import Column
    >>> age = Column("age")
    >>> [str(c) for c in merge([Condition(0, age, upper=30.0), Condition(0, age, upper=20.0)])]
    ['age ≤ 20']
    """
    merged: dict[int | Plane, Condition] = {}
    for condition in conditions:
        _add(merged, condition)
    return tuple(
        condition
        for condition in merged.values()
        if not condition.is_void or (keep_void and condition.missing is not True)
    )


def _add(merged: dict[int | Plane, Condition], new: Condition) -> None:
    old = merged.get(new.subject)
    merged[new.subject] = new if old is None else old.merged(new)


def _leaves(tree: Tree) -> Iterator[tuple[int, tuple[Condition, ...]]]:
    """Each leaf with its merged conditions; the path's work is shared by the leaves below it."""
    # node, its branch, its parent's conditions
    stack: list[tuple[int, int, dict[int | Plane, Condition]]] = [(0, -1, {})]
    parents = tree.parent
    while stack:
        node, branch, above = stack.pop()
        merged = above
        if branch >= 0:
            merged = above.copy()
            _add(merged, tree.condition(int(parents[node]), branch))
        if tree.is_leaf(node):
            yield node, tuple(condition for condition in merged.values() if not condition.is_void)
        children = tree.children(node)
        stack.extend((children[b], b, merged) for b in reversed(range(len(children))))


def _rule(tree: Tree, leaf: int, conditions: tuple[Condition, ...]) -> Rule:
    code = int(tree.leaf_class[leaf])
    total = float(tree.counts[0].sum())
    held: np.ndarray = tree.counts[leaf]
    support = 0.0 if tree.empty[leaf] else float(held.sum())
    judged = held if support > 0 or leaf == 0 else tree.counts[tree.parent[leaf]]
    confidence = _ratio(float(judged[code]), float(judged.sum()))
    return Rule(
        conditions=conditions,
        prediction=tree.classes[code],
        code=code,
        support=support,
        share=_ratio(support, total),
        confidence=confidence,
        lift=_ratio(confidence, _ratio(float(tree.counts[0, code]), total)),
        leaf=leaf,
        distribution=tuple(held.tolist()),
        target=tree.target,
    )


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0


# -- other forms --------------------------------------------------------------------------------


def rules_to_text(rules: Sequence[Rule]) -> str:
    """The rules as a numbered list of sentences, and below how much the terms of their weighted sums matter."""
    digits = len(str(len(rules)))
    told = _influences(rules)
    sentences = [f"{i:>{digits}}. {rule.sentence}" for i, rule in enumerate(rules, start=1)]
    return "\n".join([*sentences, *(["", *told] if told else [])])


def _influences(rules: Iterable[Rule]) -> list[str]:
    """The influence of the terms of all sums, in the order in which the rules name them."""
    return influence_lines((plane for rule in rules for plane in rule.planes), LINE_WIDTH)


def rules_to_frame(rules: Sequence[Rule]) -> pd.DataFrame:
    """The rules as a pandas frame: conditions in words, prediction, support, share, confidence, lift, leaf."""
    try:
        import pandas as pd
    except ImportError:
        raise ImportError("rules as a frame need pandas; install it with: pip install 'clearwood[frames]'") from None
    rows = [
        (
            " and ".join(condition_words(condition) for condition in rule.conditions),
            *(rule.prediction, rule.support, rule.share, rule.confidence, rule.lift, rule.leaf),
        )
        for rule in rules
    ]
    return pd.DataFrame(rows, columns=["conditions", "prediction", "support", "share", "confidence", "lift", "leaf"])


def rules_to_json(rules: Sequence[Rule]) -> str:
    """The rules as a JSON list; a condition has ``above`` and ``at_most``, or ``values``; an open bound is absent.

    A condition on a hyper-plane has ``weights`` by name instead of a ``feature``, and, where the spread of the columns
    is known, the ``influence`` by name. ``missing`` says whether a row without the value passes; it is absent where
    such a row is shared out.
    """
    return json.dumps([_described(rule) for rule in rules], ensure_ascii=False, allow_nan=False, indent=1)


def _described(rule: Rule) -> dict[str, object]:
    label = rule.prediction.item() if isinstance(rule.prediction, np.generic) else rule.prediction
    if not isinstance(label, str | int | float):
        label = str(label)
    return {
        "text": str(rule),
        "conditions": [_described_condition(condition) for condition in rule.conditions],
        "target": rule.target,
        "prediction": label,
        "support": rule.support,
        "share": rule.share,
        "confidence": rule.confidence,
        "lift": rule.lift,
        "leaf": rule.leaf,
        "distribution": list(rule.distribution),
    }


def _described_condition(condition: Condition) -> dict[str, object]:
    described: dict[str, object] = {"feature": condition.column.name}
    if condition.plane is not None:
        described = _described_plane(condition.plane)
    if condition.missing is not None:
        described["missing"] = condition.missing
    if condition.values is not None:
        declared = condition.column.values or ()
        return described | {"values": [declared[code] for code in condition.values]}
    if condition.lower != float("-inf"):
        described["above"] = condition.lower
    if condition.upper != float("inf"):
        described["at_most"] = condition.upper
    return described


def _described_plane(plane: Plane) -> dict[str, object]:
    """Weights by name; where the sum asks for values, a list of terms, as a column may have several of them."""
    names = [column.name for column in plane.columns]
    shares = plane.influences
    if max(plane.codes) < 0:
        described: dict[str, object] = {"weights": dict(zip(names, plane.weights, strict=True))}
        return described if shares is None else described | {"influence": dict(zip(names, shares, strict=True))}
    terms: list[dict[str, object]] = []
    for i, (name, column, code) in enumerate(zip(names, plane.columns, plane.codes, strict=True)):
        value = {} if code < 0 else {"value": (column.values or ())[code]}
        share = {} if shares is None else {"influence": shares[i]}
        terms.append({"feature": name, **value, "weight": plane.weights[i], **share})
    return {"terms": terms}
