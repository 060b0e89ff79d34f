"""Constraints: what a person demands of a tree, read from the page's JSON and matched with a table by names."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clearwood.conditions import Kind
from clearwood.table import Column

__all__ = ["Constraints", "Demand", "ForcedTest"]

FORMAT = "clearwood-constraints"
VERSION = 1
DEEPEST = 500
_TWO_WAYS = ("yes", "no")
Term = tuple[str, float] | tuple[str, float, str]


@dataclass(frozen=True, slots=True)
class ForcedTest:
    """A test that a node must make, by names.

    ``yes`` is the branch of ``at_most`` and of the ``values``; with ``each`` there is a branch for each value.
    ``missing`` names the branch of rows without the value; None shares them out. ``weights`` holds a pair of a numeric
    feature and its weight for each term of a sum, or a triple of a nominal feature, the weight, and a value of it: the
    weight counts where a row has that value.
    """

    feature: str | None = None
    at_most: float | None = None
    values: tuple[str, ...] | None = None
    each: bool = False
    weights: tuple[Term, ...] | None = None
    missing: str | None = None

    @property
    def kind(self) -> Kind:
        if self.weights is not None:
            return Kind.LINEAR
        return Kind.BRANCHES if self.each else Kind.SUBSET if self.values is not None else Kind.THRESHOLD

    @property
    def terms(self) -> tuple[tuple[str, float, str | None], ...]:
        """The terms of the sum, each with the value that it asks for; None for a number."""
        return tuple((term[0], term[1], term[2] if len(term) == 3 else None) for term in self.weights or ())

    def branch_names(self, columns: Sequence[Column]) -> tuple[str, ...]:
        """What the branches are called, in order."""
        if not self.each:
            return _TWO_WAYS
        return next(column.values or () for column in columns if column.name == self.feature)


@dataclass(frozen=True, slots=True)
class Demand:
    """What is demanded of one node and of those below it.

    Attributes
    ----------
    test : ForcedTest or None
        What it must ask; None leaves that to the learner.
    leaf : bool
        Whether it must be a leaf.
    forbid : tuple of str
        Features that neither it nor any node below it may test, unless a test is forced there.
    branches : mapping of branch names to Demand
        What is demanded below a forced test; absent branches are free.
    """

    test: ForcedTest | None = None
    leaf: bool = False
    forbid: tuple[str, ...] = ()
    branches: Mapping[str, Demand] = field(default_factory=dict)


@dataclass(frozen=True)
class Constraints:
    """Demands on a tree, from its root on.

    Examples
    --------
    >>> text = '{"format": "clearwood-constraints", "version": 1, "target": "species", "root": {"forbid": ["name"],'
    >>> text += ' "test": {"feature": "petal width", "at_most": 0.8}, "branches": {"yes": {"leaf": true}}}}'
    >>> constraints = Constraints.from_json(text)
    >>> constraints.root.forbid, constraints.root.test.at_most, constraints.root.branches["yes"].leaf
    (('name',), 0.8, True)
    >>> Constraints.from_json(constraints.to_json()) == constraints
    True
    """

    root: Demand = Demand()
    target: str | None = None

    @classmethod
    def from_json(cls, text: str | bytes) -> Constraints:
        """Read what :meth:`to_json` or the page wrote; anything else raises ValueError and says where it is wrong."""
        try:
            document = json.loads(text)
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"the constraints are not JSON: {error}.") from None
        except RecursionError:
            raise ValueError("the constraints are nested too deeply.") from None
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise ValueError(f"the constraints must be an object whose format is {FORMAT!r}.")
        if document.get("version") != VERSION:
            raise ValueError(f"version must be {VERSION}, got {str(document.get('version'))[:40]!r}.")
        _known_keys(document, ("format", "version", "target", "root"), "the constraints")
        target = document.get("target")
        if target is not None and not isinstance(target, str):
            raise ValueError("target must be a string.")
        return cls(_demand(document.get("root", {}), "root", 0), target)

    def to_json(self) -> str:
        """The constraints as versioned JSON."""
        head: dict[str, Any] = {"format": FORMAT, "version": VERSION}
        if self.target is not None:
            head["target"] = self.target
        return json.dumps(head | {"root": _described(self.root)}, ensure_ascii=False, allow_nan=False, indent=1) + "\n"

    def check(self, columns: Sequence[Column], target: str | None = None) -> None:
        """Raise ValueError unless every name and value is one of the table's, and of the right type."""
        if target is not None and self.target is not None and self.target != target:
            raise ValueError(f"the constraints are for the target {self.target!r}, but the table's is {target!r}.")
        known = {column.name: column for column in columns}
        stack = [(self.root, "root")]
        while stack:
            demand, where = stack.pop()
            for name in demand.forbid:
                _column(known, name, where)
            if demand.test is None:
                continue
            _check_test(demand.test, known, where)
            names = demand.test.branch_names(columns)
            for name, below in demand.branches.items():
                if name not in names:
                    raise ValueError(f"{where}: there is no branch {name!r}; the branches are {', '.join(names[:10])}.")
                stack.append((below, f"{where}, {name}"))


# -- reading ------------------------------------------------------------------------------------


def _demand(item: Any, where: str, depth: int) -> Demand:
    if depth > DEEPEST:
        raise ValueError(f"the constraints must not be nested more than {DEEPEST} deep.")
    if not isinstance(item, dict):
        raise ValueError(f"{where}: must be an object.")
    _known_keys(item, ("test", "leaf", "forbid", "branches"), where)
    leaf, forbid, branches = item.get("leaf", False), item.get("forbid", []), item.get("branches", {})
    if not isinstance(leaf, bool):
        raise ValueError(f"{where}: leaf must be true or false.")
    if not isinstance(forbid, list) or not all(isinstance(name, str) for name in forbid):
        raise ValueError(f"{where}: forbid must be a list of feature names.")
    if not isinstance(branches, dict):
        raise ValueError(f"{where}: branches must be an object with a demand for each named branch.")
    test = _test(item["test"], where) if "test" in item else None
    if leaf and test is not None:
        raise ValueError(f"{where}: a node cannot be a leaf and make a test.")
    if branches and test is None:
        raise ValueError(f"{where}: branches need a test that they belong to.")
    below = {name: _demand(part, f"{where}, {name}", depth + 1) for name, part in branches.items()}
    return Demand(test, leaf, tuple(forbid), below)


def _test(item: Any, where: str) -> ForcedTest:
    if not isinstance(item, dict):
        raise ValueError(f"{where}: test must be an object.")
    _known_keys(item, ("feature", "at_most", "values", "each", "weights", "missing"), f"{where}: test")
    ways = [way for way in ("at_most", "values", "each") if item.get(way) not in (None, False)]
    feature, missing = item.get("feature"), item.get("missing")
    if "weights" in item:
        ways = [] if feature is not None or ways != ["at_most"] else ways
    elif not isinstance(feature, str):
        raise ValueError(f"{where}: test must name a feature, or weights.")
    if len(ways) != 1:
        raise ValueError(f"{where}: test must have at_most, values or each: one of them, and at_most with weights.")
    if missing is not None and not isinstance(missing, str):
        raise ValueError(f"{where}: missing must be the name of a branch.")
    at_most = None if ways != ["at_most"] else _number(item["at_most"], f"{where}: at_most")
    values = None
    if ways == ["values"]:
        given = item["values"]
        if not isinstance(given, list) or not given or not all(isinstance(value, str) for value in given):
            raise ValueError(f"{where}: values must be a list of at least one value.")
        values = tuple(given)
    if ways == ["each"] and item["each"] is not True:
        raise ValueError(f"{where}: each must be true.")
    weights = _weights(item["weights"], where) if "weights" in item else None
    return ForcedTest(feature, at_most, values, ways == ["each"], weights, missing)


def _weights(items: Any, where: str) -> tuple[Term, ...]:
    lists = isinstance(items, list) and all(isinstance(term, list) and len(term) in (2, 3) for term in items)
    if not lists or not items or not all(isinstance(name, str) for term in items for name in term[::2]):
        raise ValueError(
            f"{where}: weights must be a list of pairs of a feature and its weight, or of triples of a nominal "
            "feature, the weight and a value."
        )
    found = tuple((term[0], _number(term[1], f"{where}: the weight of {term[0]!r}"), *term[2:]) for term in items)
    if len({(term[0], *term[2:]) for term in found}) < len(found) or any(term[1] == 0 for term in found):
        raise ValueError(f"{where}: weights must be of different features or values, and none may be 0.")
    return found


def _number(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{what} must be a finite number.")
    return float(value)


def _known_keys(item: dict[str, Any], known: Sequence[str], where: str) -> None:
    strange = sorted(item.keys() - set(known))
    if strange:
        raise ValueError(f"{where}: unknown field {strange[0][:40]!r}; there are {', '.join(known)}.")


# -- writing and checking -----------------------------------------------------------------------


def _described(demand: Demand) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if demand.forbid:
        found["forbid"] = list(demand.forbid)
    if demand.leaf:
        found["leaf"] = True
    if demand.test is not None:
        test = demand.test
        fields: dict[str, Any] = {"feature": test.feature, "at_most": test.at_most, "missing": test.missing}
        fields["values"] = None if test.values is None else list(test.values)
        fields["weights"] = None if test.weights is None else [list(term) for term in test.weights]
        fields["each"] = True if test.each else None
        found["test"] = {name: value for name, value in fields.items() if value is not None}
    if demand.branches:
        found["branches"] = {name: _described(below) for name, below in demand.branches.items()}
    return found


def _column(known: Mapping[str, Column], name: str, where: str) -> Column:
    if name not in known:
        listed = ", ".join(map(repr, list(known)[:8]))
        raise ValueError(f"{where}: the table has no feature {name!r}; it has {listed}.")
    return known[name]


def _check_test(test: ForcedTest, known: Mapping[str, Column], where: str) -> None:
    asked: list[tuple[str, bool, tuple[str, ...]]]  # features, whether they must be nominal, and the values named
    if test.weights is not None:
        asked = [(name, value is not None, () if value is None else (value,)) for name, _, value in test.terms]
    else:
        asked = [(str(test.feature), test.kind in (Kind.BRANCHES, Kind.SUBSET), test.values or ())]
    for name, is_nominal, values in asked:
        column = _column(known, name, where)
        if column.is_nominal != is_nominal:
            kind = "nominal" if column.is_nominal else "numeric"
            raise ValueError(f"{where}: feature {name!r} is {kind} in the table, which the test does not fit.")
        for value in values:
            if value not in (column.values or ()):
                raise ValueError(f"{where}: {value!r} is no value of {name!r} in the table.")
    ways = known[asked[0][0]].values or () if test.each else _TWO_WAYS
    if test.missing is not None and test.missing not in ways:
        raise ValueError(f"{where}: missing must be the name of a branch, got {test.missing!r}.")
