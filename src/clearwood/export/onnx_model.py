"""ONNX: a tree as a graph in double precision, which any runtime of that standard can score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.booleans import spellings
from clearwood.conditions import Kind
from clearwood.export.directions import can_lack

if TYPE_CHECKING:
    from clearwood.tree import Tree

__all__ = ["to_onnx"]

OPSET, ML_OPSET, IR_VERSION = 18, 3, 9
MOST_FACTORS = 2_000_000  # leaves times tests on a path; a row needs as many products


def to_onnx(tree: Tree) -> bytes:
    """The tree as an ONNX model.

    Each tested column is an input of the shape (rows, 1), named as the column: numbers as double, dates as double
    (milliseconds since 1970), nominal and ordered columns as strings, truth values in lower, upper or title case. NaN,
    and a string that the tree does not know (such as an empty one), is missing, and treated as the tree does. The
    outputs are ``label`` and ``probabilities``, double.

    All is computed in double precision, term by term as the tree does it, so thresholds mean the same. ONNX's own tree
    operator is not used: it has no sets of values, no weighted sums and no shares of a row.

    Returns
    -------
    bytes
        To be written to a file, or given to ``onnxruntime.InferenceSession``.
    """
    try:
        import onnx
        from onnx import TensorProto, helper
    except ImportError:
        raise ImportError("ONNX models need the package onnx: pip install 'clearwood[onnx]'") from None
    size = tree.n_leaves * max(tree.depth, 1)
    if size > MOST_FACTORS:
        raise ValueError(f"the tree has {tree.n_leaves} leaves up to {tree.depth} tests deep, too many for one graph.")
    graph = _Graph(tree)
    inputs = [
        helper.make_tensor_value_info(
            tree.columns[f].name, TensorProto.STRING if _is_text(tree, f) else TensorProto.DOUBLE, [None, 1]
        )
        for f in graph.features
    ]
    if not inputs:  # a single leaf still has to know how many rows there are
        inputs = [helper.make_tensor_value_info("rows", TensorProto.DOUBLE, [None, 1])]
    label_type = graph.finish()
    outputs = [
        helper.make_tensor_value_info("label", label_type, [None]),
        helper.make_tensor_value_info("probabilities", TensorProto.DOUBLE, [None, tree.n_classes]),
    ]
    made = helper.make_graph(graph.nodes, "clearwood", inputs, outputs, graph.constants)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid("ai.onnx.ml", ML_OPSET)]
    model = helper.make_model(made, opset_imports=opsets, producer_name="clearwood", ir_version=IR_VERSION)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def _is_text(tree: Tree, feature: int) -> bool:
    return tree.columns[feature].declared is not None


class _Graph:
    """Gathers nodes and constants; names of its own start with ``cw:``, which no column is likely to."""

    def __init__(self, tree: Tree) -> None:
        from clearwood.routing import Routing

        self.tree = tree
        self.routing = Routing(tree)
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        used = set(tree.features)
        self.features = [i for i, column in enumerate(tree.columns) if column.name in used]
        self.prefix = "cw:"
        while any(tree.columns[f].name.startswith(self.prefix) for f in self.features):
            self.prefix += ":"
        self._cells: dict[int, str] = {}

    # -- small things --------------------------------------------------------------------------------

    def op(self, kind: str, *inputs: str, output: str = "", domain: str = "", **attributes: Any) -> str:
        from onnx import helper

        name = output or f"{self.prefix}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], domain=domain, **attributes))
        return name

    def constant(self, values: Any) -> str:
        from onnx import numpy_helper

        name = f"{self.prefix}c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    # -- columns and tests ----------------------------------------------------------------------------

    def cell(self, feature: int) -> str:
        """A column as double: numbers as they are, levels by their place, NaN where missing."""
        if feature in self._cells:
            return self._cells[feature]
        column = self.tree.columns[feature]
        if column.levels is not None:
            codes = self.codes(feature, [(level, i) for i, level in enumerate(column.levels)])
            table = self.constant(np.array([*range(len(column.levels)), np.nan], dtype=np.float64))
            self._cells[feature] = self.op("Gather", table, codes)
        else:
            self._cells[feature] = column.name
        return self._cells[feature]

    def codes(self, feature: int, pairs: list[tuple[str, int]]) -> str:
        """A column of strings as whole numbers; one beyond the last where it is missing or not known."""
        column = self.tree.columns[feature]
        return self.op(
            "LabelEncoder",
            column.name,
            domain="ai.onnx.ml",
            keys_strings=[key for key, _ in pairs],
            values_int64s=[code for _, code in pairs],
            default_int64=len(column.declared or ()),
        )

    def factors(self, node: int) -> list[str]:
        """For each branch of a test the share of a row that takes it, of the shape (rows, 1)."""
        tree = self.tree
        children, direction = tree.children(node), int(tree.missing[node])
        share = self.routing.sharing[2][list(children)]
        if direction >= 0:
            share = np.eye(len(children))[direction]
        if tree.kind[node] in (Kind.THRESHOLD, Kind.LINEAR):
            value = self._value(node)
            below = self.op("LessOrEqual", value, self.constant(np.array([[tree.threshold[node]]])))
            sides = [self.op("Cast", side, to=11) for side in (below, self.op("Not", below))]  # double
            if not can_lack(tree, node):
                return sides
            missing = self.op("IsNaN", value)
            shares = [self.constant(np.array([[some]])) for some in share]
            return [self.op("Where", missing, some, side) for some, side in zip(shares, sides, strict=True)]
        feature = int(tree.feature[node])
        codes = self._value_codes(feature)
        ways = np.zeros((tree.columns[feature].n_values + 1, len(children)))
        ways[-1] = share
        for branch in range(len(children)):
            ways[list(tree.condition(node, branch).values or ()), branch] = 1.0
        return [self.op("Gather", self.constant(ways[:, branch].copy()), codes) for branch in range(len(children))]

    def _value_codes(self, feature: int) -> str:
        """A nominal column's codes, each cell matched as the tree matches it."""
        codes = self._cells.get(-1 - feature)
        if codes is None:
            folded, meant = spellings(self.tree.columns[feature].values or ())
            if folded:  # a runtime changes case only where the machine has a locale for it
                meant = [tuple(dict.fromkeys(t for s in texts for t in (s, s.upper(), s.title()))) for texts in meant]
            pairs = [(text, code) for code, texts in enumerate(meant) for text in texts]
            codes = self._cells[-1 - feature] = self.codes(feature, pairs)
        return codes

    def _value(self, node: int) -> str:
        if self.tree.kind[node] != Kind.LINEAR:
            return self.cell(int(self.tree.feature[node]))
        plane, total = self.tree.plane(node), ""
        for feature, weight, code in zip(plane.features, plane.weights, plane.codes, strict=True):
            if code < 0:
                term = self.op("Mul", self.constant(np.array([[weight]])), self.cell(feature))
            else:
                counted = np.zeros(self.tree.columns[feature].n_values + 1)  # the last: missing or not known
                counted[code] = weight
                term = self.op("Gather", self.constant(counted), self._value_codes(feature))
            total = self.op("Add", total, term) if total else term
        return total

    # -- the answer -----------------------------------------------------------------------------------

    def finish(self) -> int:
        """Write the outputs; gives the type of the labels."""
        tree = self.tree
        leaves = [node for node in tree.walk() if tree.is_leaf(node)]
        if tree.n_nodes == 1:
            zero = self.op("Mul", self.op("Cast", self.op("IsNaN", "rows"), to=11), self.constant(np.zeros((1, 1))))
            reached = self.op("Add", zero, self.constant(np.ones((1, 1))))
        else:
            reached = self._reached(leaves)
        smooth = self.constant(self.routing.smooth[leaves])
        shown = self.op("MatMul", reached, smooth, output="probabilities")
        if tree.laplace or tree.costs is not None:
            return self._label(self.op("MatMul", reached, self.constant(self.routing.deciding[leaves])))
        return self._label(shown)

    def _reached(self, leaves: list[int]) -> str:
        """The share of each row in each leaf: the product of what the tests on its path let through."""
        tree = self.tree
        place: dict[int, int] = {}
        columns: list[str] = []
        for node in range(tree.n_nodes):
            if not tree.is_leaf(node):
                for child, factor in zip(tree.children(node), self.factors(node), strict=True):
                    place[child] = len(columns)
                    columns.append(factor)
        all_factors = self.op("Concat", *columns, axis=1)
        paths = []
        for leaf in leaves:
            path, node = [], leaf
            while node:
                path.append(place[node])
                node = int(tree.parent[node])
            paths.append(path[::-1])
        ones = len(columns)
        first = self.op("Slice", all_factors, *(self.constant(np.array([i], dtype=np.int64)) for i in (0, 1, 1)))
        padding = self.op("Where", self.op("IsNaN", first), first, self.constant(np.ones((1, 1))))
        all_factors = self.op("Concat", all_factors, padding, axis=1)
        product = ""
        for level in range(tree.depth):
            taken = self.constant(np.array([p[level] if level < len(p) else ones for p in paths], dtype=np.int64))
            factor = self.op("Gather", all_factors, taken, axis=1)
            product = self.op("Mul", product, factor) if product else factor
        return product

    def _label(self, chances: str) -> int:
        """The first class that exceeds all before it by more than 1e-6, as the tree chooses."""
        from onnx import TensorProto

        labels = [label.item() if isinstance(label, np.generic) else label for label in self.tree.classes]
        best = self.op("Gather", chances, self.constant(np.array(0, dtype=np.int64)), axis=1)
        choice = self.op("Cast", self.op("IsNaN", best), to=TensorProto.INT64)
        choice = self.op("Mul", choice, self.constant(np.array(0, dtype=np.int64)))
        for code in range(1, len(labels)):
            new = self.op("Gather", chances, self.constant(np.array(code, dtype=np.int64)), axis=1)
            wins = self.op("Greater", self.op("Sub", new, best), self.constant(np.array(1e-6)))
            best = self.op("Where", wins, new, best)
            choice = self.op("Where", wins, self.constant(np.array(code, dtype=np.int64)), choice)
        if all(isinstance(label, int) and not isinstance(label, bool) for label in labels):
            table, kind = self.constant(np.array(labels, dtype=np.int64)), TensorProto.INT64
        else:
            table, kind = self._texts([str(label) for label in labels]), TensorProto.STRING
        self.op("Gather", table, choice, output="label")
        return int(kind)

    def _texts(self, texts: list[str]) -> str:
        from onnx import TensorProto, helper

        name = f"{self.prefix}c{len(self.constants)}"
        encoded: Any = [text.encode() for text in texts]
        self.constants.append(helper.make_tensor(name, TensorProto.STRING, [len(texts)], encoded))
        return name
