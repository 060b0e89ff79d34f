"""JSON of a tree: written in full, checked in full when read."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.conditions import Kind
from clearwood.json_fields import (
    checked_text,
    flag,
    integers,
    kind_of,
    list_of,
    numbers,
    quoted,
    string,
    table_of_numbers,
)
from clearwood.table import Column
from clearwood.tree_check import check_tree

if TYPE_CHECKING:
    from clearwood.tree import Tree

__all__ = ["FORMAT", "MAX_CHARACTERS", "VERSIONS", "dump", "load"]

FORMAT = "clearwood-tree"
# 2 knows linear tests and directions for missing values, 3 dates and levels too, 4 texts for people, the spread of
# columns and costs, 5 values in linear tests; a tree is written as the first that knows all that it has
VERSIONS = (1, 2, 3, 4, 5)
MAX_CHARACTERS = 2**30  # a tree of ten million nodes with two classes fits
_KINDS = {kind.name.lower(): int(kind) for kind in Kind}
_NODE_FIELDS = ("kind", "feature", "threshold", "first_child", "n_children", "empty", "counts")
_REQUIRED = ("target", "laplace", "learner", "classes", "columns", *_NODE_FIELDS)
# absent when no test uses a set; when they equal the counts; when no test has a direction; when none is linear
_OPTIONAL = {1: ("sets", "bags")} | dict.fromkeys((2, 3), ("sets", "bags", "missing", "weights"))
_SAID = ("remark", "data", "accuracy")  # texts for people
_OPTIONAL[4] = _OPTIONAL[5] = (*_OPTIONAL[3], *_SAID, "spread", "costs")


# -- writing ------------------------------------------------------------------------------------


def dump(tree: Tree) -> str:
    """The tree as JSON: one field per line, one line per node for the weights.

    ``kind``, ``feature``, ``threshold``, ``first_child``, ``n_children`` and ``empty`` have one item for each node,
    as in :class:`~clearwood.tree.Tree`; ``sets`` has the value codes that a subset test sends to its first branch,
    ``weights`` the column and weight of each term of a linear test, for a nominal column the code of its value too, and
    ``missing`` the branch of rows without a value.
    Numbers are written so that they read back bit for bit.

    Raises
    ------
    ValueError
        If the tree is not sound, or a class is not a string, a number or a bool.
    """
    check_tree(tree)
    linear, directed = (tree.kind == Kind.LINEAR).tolist(), bool((tree.missing >= 0).any())
    scaled = any(column.kind in ("date", "ordered") for column in tree.columns)
    fields: dict[str, str] = {
        "format": _line(FORMAT),
        "version": _line(_version(tree, scaled, directed or any(linear))),
        "learner": _line(checked_text(tree.learner, "learner")),
        "target": _line(checked_text(tree.target, "target")),
        "laplace": _line(bool(tree.laplace)),
        "classes": _line([_class_label(label) for label in tree.classes]),
        "columns": _rows([_described(column) for column in tree.columns]),
        "kind": _line([Kind(kind).name.lower() for kind in tree.kind.tolist()]),
        "feature": _line(tree.feature.tolist()),
        "threshold": _line([None if math.isnan(cut) else _short(cut) for cut in tree.threshold.tolist()]),
        "first_child": _line(tree.first_child.tolist()),
        "n_children": _line(tree.n_children.tolist()),
        "empty": _line(tree.empty.tolist()),
    }
    if tree.costs is not None:
        fields["costs"] = _rows([[_short(cost) for cost in row] for row in tree.costs.tolist()])
    if len(tree.set_values):
        subset = (tree.kind == Kind.SUBSET).tolist()
        fields["sets"] = _line([list(tree.subset(i)) if subset[i] else None for i in range(tree.n_nodes)])
    if any(linear):
        fields["weights"] = _line([_terms(tree, i) if linear[i] else None for i in range(tree.n_nodes)])
    if directed:
        fields["missing"] = _line(tree.missing.tolist())
    for name in _SAID:
        if getattr(tree, name):
            fields[name] = _line(checked_text(getattr(tree, name), name))
    if tree.spread is not None:
        fields["spread"] = _line([None if math.isnan(spread) else _short(spread) for spread in tree.spread.tolist()])
    fields["counts"] = _rows([[_short(weight) for weight in row] for row in tree.counts.tolist()])
    if not np.array_equal(tree.bags, tree.counts):
        fields["bags"] = _rows([[_short(weight) for weight in row] for row in tree.bags.tolist()])
    return "{\n" + ",\n".join(f'"{name}": {text}' for name, text in fields.items()) + "\n}\n"


def _version(tree: Tree, scaled: bool, linear: bool) -> int:
    if (tree.weight_codes >= 0).any():
        return 5
    if any(getattr(tree, name) for name in _SAID) or tree.spread is not None or tree.costs is not None:
        return 4
    return 3 if scaled else 2 if linear else 1


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _rows(values: Sequence[object]) -> str:
    return "[\n" + ",\n".join("  " + _line(value) for value in values) + "\n]" if values else "[]"


def _short(value: float) -> float | int:
    """A whole number without its ``.0``: easier to read, and reads back the same."""
    return int(value) if value.is_integer() and abs(value) < 2**53 and (value or math.copysign(1, value) > 0) else value


def _terms(tree: Tree, node: int) -> list[tuple[float, ...]]:
    plane = tree.plane(node)
    return [
        (feature, _short(weight)) if code < 0 else (feature, _short(weight), code)
        for feature, weight, code in zip(plane.features, plane.weights, plane.codes, strict=True)
    ]


def _described(column: Column) -> dict[str, object]:
    described: dict[str, object] = {"name": checked_text(column.name, "columns")}
    for key, declared in (("values", column.values), ("levels", column.levels)):
        if declared is not None:
            described[key] = [checked_text(value, f"{key} of column {column.name!r}") for value in declared]
    if column.is_date:
        described["date"] = True
    return described


def _class_label(label: object) -> str | int | float | bool:
    if isinstance(label, np.generic):
        label = label.item()
    if isinstance(label, str):
        return checked_text(label, "classes")
    if _is_number(label):
        return label  # type: ignore[return-value]
    raise ValueError(f"classes must be strings, finite numbers or bools, got {quoted(label)}.")


def _is_number(label: object) -> bool:
    """Whether a label is a bool, an integer of 64 bits or a finite float."""
    if isinstance(label, float):
        return math.isfinite(label)
    return isinstance(label, int) and -(2**63) <= label < 2**63


# -- reading ------------------------------------------------------------------------------------


def load(text: str | bytes) -> Tree:
    """Read a tree that :func:`dump` wrote; anything else raises ValueError with a sentence that names the field.

    Nothing in the text is executed and no size in it is trusted: every array is there in full and is checked.

    Parameters
    ----------
    text : str or bytes
        Bytes are UTF-8.

    Returns
    -------
    Tree

    Examples
    --------
    >>> load('{"format": "clearwood-tree", "version": 9}')
    Traceback (most recent call last):
        ...
    ValueError: version of the tree must be 1 or 2 or 3 or 4 or 5, those that this release reads, got 9.
    """
    from clearwood.tree import Tree

    fields = _parsed(text)
    _check_fields(fields)
    classes = _classes(fields)
    arrays: dict[str, Any] = dict(_arrays(fields, len(classes)))
    tree = Tree(
        columns=[_column(item, i, fields["version"]) for i, item in enumerate(list_of(fields, "columns"))],
        classes=classes,
        target=string(fields, "target"),
        learner=string(fields, "learner"),
        laplace=flag(fields, "laplace"),
        spread=_spread(fields) if "spread" in fields else None,
        costs=_costs(fields, len(classes)),
        **_said(fields),
        **arrays,
    )
    check_tree(tree)
    return tree


def _said(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: string(fields, name) for name in _SAID if name in fields}


def _spread(fields: dict[str, Any]) -> np.ndarray:
    values, columns = list_of(fields, "spread"), list_of(fields, "columns")
    if len(values) != len(columns):
        raise ValueError(f"spread must hold one item for each of the {len(columns)} columns, got {len(values)}.")
    known = iter(numbers([value for value in values if value is not None], "spread"))
    spread = np.array([math.nan if value is None else next(known) for value in values], dtype=np.float64)
    if (spread < 0).any():
        raise ValueError(f"spread must not be negative, got {spread[spread < 0][0]}.")
    return spread


def _parsed(text: str | bytes) -> dict[str, Any]:
    if not isinstance(text, str | bytes):
        raise TypeError(f"a tree is read from str or bytes, got {type(text).__name__}.")
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"the tree's JSON must have at most {MAX_CHARACTERS} characters, got {len(text)}.")
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        parsed = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_no_twins, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise ValueError(f"the tree's JSON must be UTF-8, but byte {error.start} is not.") from None
    except json.JSONDecodeError as error:
        raise ValueError(
            f"the tree is not whole JSON (cut or damaged?): {error.msg} at line {error.lineno}, column {error.colno}."
        ) from None
    except RecursionError:
        raise ValueError("the tree's JSON is nested too deeply; a tree needs three levels.") from None
    except _RefusedError as error:
        raise ValueError(str(error)) from None
    except ValueError:  # Python's own limit on the digits of an integer
        raise ValueError("the tree's JSON holds an integer with too many digits.") from None
    if not isinstance(parsed, dict):
        raise ValueError(f"the tree's JSON must be an object with fields, got {kind_of(parsed)}.")
    return parsed


class _RefusedError(ValueError):
    """A defect found while parsing, already worded."""


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise _RefusedError(f"the field {quoted(twice)} occurs more than once in the tree's JSON.")
    return found


def _no_constant(name: str) -> float:
    raise _RefusedError(f"the tree's JSON must hold finite numbers, got {name}.")


def _check_fields(fields: dict[str, Any]) -> None:
    if fields.get("format") != FORMAT:
        raise ValueError(f"format must be {FORMAT!r}, got {quoted(fields.get('format'))}: this is not a tree's JSON.")
    version = fields.get("version")
    if type(version) is not int or version not in VERSIONS:
        known = " or ".join(map(str, VERSIONS))
        raise ValueError(f"version of the tree must be {known}, those that this release reads, got {quoted(version)}.")
    absent = [name for name in _REQUIRED if name not in fields]
    if absent:
        raise ValueError(f"the tree's JSON lacks the field {absent[0]!r}.")
    unknown = fields.keys() - {"format", "version", *_REQUIRED, *_OPTIONAL[version]}
    if unknown:
        raise ValueError(f"the tree's JSON has a field {quoted(min(unknown))} that version {version} does not know.")


def _arrays(fields: dict[str, Any], n_classes: int) -> Iterator[tuple[str, np.ndarray]]:
    kinds = list_of(fields, "kind")
    n_nodes = len(kinds)
    if not set(map(type, kinds)) <= {str} or not set(kinds) <= _KINDS.keys():
        strange = next(kind for kind in kinds if not isinstance(kind, str) or kind not in _KINDS)
        raise ValueError(f"kind must be one of {', '.join(_KINDS)}, got {quoted(strange)}.")
    if fields["version"] == 1 and Kind.LINEAR.name.lower() in kinds:
        raise ValueError("kind must not be linear in a tree of version 1, which has no such test.")
    yield "kind", np.array([_KINDS[kind] for kind in kinds], dtype=np.int8)
    for name in ("feature", "first_child", "n_children"):
        yield name, integers(list_of(fields, name, n_nodes), name)
    flags = list_of(fields, "empty", n_nodes)
    if not set(map(type, flags)) <= {bool}:
        raise ValueError("empty must hold true or false for each node.")
    yield "empty", np.array(flags, dtype=bool)
    thresholds = list_of(fields, "threshold", n_nodes)
    known = iter(numbers([cut for cut in thresholds if cut is not None], "threshold"))
    yield "threshold", np.array([math.nan if cut is None else next(known) for cut in thresholds], dtype=np.float64)
    sets = list_of(fields, "sets", n_nodes) if "sets" in fields else [None] * n_nodes
    if not set(map(type, sets)) <= {list, type(None)}:
        raise ValueError("sets must hold a list of value codes or null for each node.")
    yield "set_start", np.cumsum([0, *(len(codes or ()) for codes in sets)])
    yield "set_values", integers([code for codes in sets for code in codes or ()], "sets")
    if "missing" in fields:
        yield "missing", integers(list_of(fields, "missing", n_nodes), "missing")
    if "weights" in fields:
        yield from _weights(list_of(fields, "weights", n_nodes), fields["version"])
    for name in ("counts", "bags"):
        if name in fields:
            yield name, table_of_numbers(list_of(fields, name, n_nodes), name, n_classes)


def _costs(fields: dict[str, Any], n_classes: int) -> np.ndarray | None:
    if "costs" not in fields:
        return None
    rows = fields["costs"]
    if not isinstance(rows, list) or len(rows) != n_classes:
        raise ValueError(f"costs must hold one list for each of the {n_classes} classes.")
    return table_of_numbers(rows, "costs", n_classes)


def _weights(planes: list[Any], version: int) -> Iterator[tuple[str, np.ndarray]]:
    if not set(map(type, planes)) <= {list, type(None)}:
        raise ValueError("weights must hold a list of columns and weights or null for each node.")
    terms = [term for plane in planes for term in plane or ()]
    if not set(map(type, terms)) <= {list} or not set(map(len, terms)) <= ({2} if version < 5 else {2, 3}):
        also = "" if version < 5 else ", and for a nominal column the code of its value behind them"
        raise ValueError(f"weights must hold pairs of a column's index and its weight{also}.")
    yield "weight_start", np.cumsum([0, *(len(plane or ()) for plane in planes)])
    yield "weight_features", integers([term[0] for term in terms], "weights")
    yield "weight_values", np.array(numbers([term[1] for term in terms], "weights"), dtype=np.float64)
    yield "weight_codes", integers([term[2] if len(term) == 3 else -1 for term in terms], "weights")


def _column(item: Any, index: int, version: int) -> Column:
    kinds = ("values",) if version < 3 else ("values", "levels", "date")
    if not isinstance(item, dict) or "name" not in item or item.keys() - {"name", *kinds} or len(item) > 2:
        raise ValueError(
            f"columns must hold objects with a name and, if not numeric, {' or '.join(kinds)}; item {index} is not one."
        )
    name = checked_text(item["name"], "columns")
    if "date" in item:
        if item["date"] is not True:
            raise ValueError(f"date of column {name!r} must be true, got {quoted(item['date'])}.")
        return Column(name, is_date=True)
    key = next((key for key in ("values", "levels") if key in item), None)
    if key is None:
        return Column(name)
    declared = item[key]
    if not isinstance(declared, list):
        raise ValueError(f"{key} of column {name!r} must be a list, got {kind_of(declared)}.")
    texts = tuple(checked_text(value, f"{key} of column {name!r}") for value in declared)
    return Column(name, texts) if key == "values" else Column(name, levels=texts)


def _classes(fields: dict[str, Any]) -> list[Any]:
    labels = list_of(fields, "classes")
    if not labels:
        raise ValueError("classes must hold at least one class, got none.")
    for label in labels:
        if not isinstance(label, str) and not _is_number(label):
            raise ValueError(f"classes must be strings, finite numbers or bools, got {quoted(label)}.")
    return [checked_text(label, "classes") if isinstance(label, str) else label for label in labels]
