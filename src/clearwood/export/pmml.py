"""PMML: a tree in the exchange format of statistical programs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING
from xml.etree import ElementTree as Xml

import numpy as np

from clearwood.conditions import Condition, Kind, Plane
from clearwood.export.directions import all_directed

if TYPE_CHECKING:
    from clearwood.tree import Tree

__all__ = ["to_pmml"]

DEEPEST = 400  # tests on a path: readers follow the nested elements by recursion


def to_pmml(tree: Tree) -> str:
    """The tree as a PMML 4.4 TreeModel.

    Rows in which no tested value is missing get the tree's class and probabilities. PMML cannot share out a row over
    branches by the weights of the training rows that had the value, so a row without a tested value gets no prediction;
    where every test names a branch for such rows, they take it. A value that the tree does not know counts as missing.
    Dates are numbers, milliseconds since 1970; a weighted sum is a derived field, in which a nominal column that is
    missing has none of the values that it asks for; numbers are doubles.

    >>> from clearwood.table import Column
    >>> from clearwood.tree import Tree
    >>> tree = Tree(columns=[Column("age")], classes=["ill", "well"], kind=[1, 0, 0], feature=[0, -1, -1],
    ...             threshold=[40.5, float("nan"), float("nan")], first_child=[1, -1, -1], n_children=[2, 0, 0],
    ...             empty=[False] * 3, counts=[[4, 6], [1, 6], [3, 0]])
    >>> '<SimplePredicate field="age" operator="lessOrEqual" value="40.5" />' in to_pmml(tree)
    True
    """
    if tree.depth > DEEPEST:
        raise ValueError(
            f"the tree is {tree.depth} tests deep, and PMML is written for up to {DEEPEST}; prune the tree first."
        )
    return _Writer(tree).whole()


class _Writer:
    def __init__(self, tree: Tree) -> None:
        from clearwood.routing import Routing

        self.tree = tree
        self.routing = Routing(tree)
        self.classes = [str(label) for label in tree.classes]
        used = set(tree.features)
        self.columns = [column for column in tree.columns if column.name in used]
        self.directed = all_directed(tree)
        self.planes: dict[Plane, str] = {}
        for node in np.flatnonzero(tree.kind == Kind.LINEAR).tolist():
            self.planes.setdefault(tree.plane(node), f"{self._free(used)} {len(self.planes) + 1}")

    def whole(self) -> str:
        root = Xml.Element("PMML", xmlns="http://www.dmg.org/PMML-4_4", version="4.4")
        Xml.SubElement(Xml.SubElement(root, "Header"), "Application", name="clearwood")
        target = self._target()
        fields = Xml.SubElement(root, "DataDictionary", numberOfFields=str(len(self.columns) + 1))
        for column in self.columns:
            nominal = column.declared is not None
            kind = ("categorical", "string") if nominal else ("continuous", "double")
            field = Xml.SubElement(fields, "DataField", name=column.name, optype=kind[0], dataType=kind[1])
            for value in column.declared or ():
                Xml.SubElement(field, "Value", value=value)
        field = Xml.SubElement(fields, "DataField", name=target, optype="categorical", dataType="string")
        for label in self.classes:
            Xml.SubElement(field, "Value", value=label)
        model = Xml.SubElement(
            root,
            "TreeModel",
            modelName=self.tree.learner or "tree",
            functionName="classification",
            splitCharacteristic="multiSplit",
            missingValueStrategy="defaultChild" if self.directed and self.tree.n_nodes > 1 else "nullPrediction",
            noTrueChildStrategy="returnNullPrediction",
        )
        schema = Xml.SubElement(model, "MiningSchema")
        for column in self.columns:
            Xml.SubElement(schema, "MiningField", name=column.name, invalidValueTreatment="asMissing")
        Xml.SubElement(schema, "MiningField", name=target, usageType="target")
        if self.planes:
            local = Xml.SubElement(model, "LocalTransformations")
            for plane, name in self.planes.items():
                derived = Xml.SubElement(local, "DerivedField", name=name, optype="continuous", dataType="double")
                derived.append(self._sum(plane))
        top = self._node(0, None)
        model.append(top)
        stack = [(0, top)]
        while stack:
            node, element = stack.pop()
            for branch, child in enumerate(self.tree.children(node)):
                below = self._node(child, self.tree.condition(node, branch))
                element.append(below)
                stack.append((child, below))
        Xml.indent(root, " ")
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode") + "\n"

    @staticmethod
    def _free(taken: set[str]) -> str:
        """What the names of sums begin with, and no column's does."""
        name = "clearwood sum"
        while any(other.startswith(name) for other in taken):
            name += "_"
        return name

    def _target(self) -> str:
        """The target's name, unless a tested column has it."""
        name, taken = self.tree.target, {column.name for column in self.columns}
        while name in taken:
            name += "_"
        return name

    def _node(self, node: int, condition: Condition | None) -> Xml.Element:
        tree = self.tree
        counts = tree.counts[tree.parent[node] if tree.empty[node] and node else node]
        element = Xml.Element(
            "Node",
            id=str(node),
            score=self.classes[tree.leaf_class[node]],
            recordCount=repr(float(counts.sum())),
        )
        if not tree.is_leaf(node) and self.directed:
            # -1 stands at sums that no row can be without, so that either child will do
            element.set("defaultChild", str(tree.children(node)[int(tree.missing[node])]))
        element.append(Xml.Element("True") if condition is None else self._predicate(condition))
        for label, count, chance in zip(self.classes, counts, self.routing.smooth[node], strict=True):
            Xml.SubElement(
                element,
                "ScoreDistribution",
                value=label,
                recordCount=repr(float(count)),
                probability=repr(float(chance)),
            )
        return element

    def _predicate(self, condition: Condition) -> Xml.Element:
        column = condition.column
        if condition.values is not None:
            return self._among(column.name, [(column.values or ())[code] for code in condition.values])
        if condition.plane is None and column.levels is not None:
            inside = [level for i, level in enumerate(column.levels) if condition.lower < i <= condition.upper]
            return self._among(column.name, inside)
        field = column.name if condition.plane is None else self.planes[condition.plane]
        below = condition.upper < math.inf
        cut = condition.upper if below else condition.lower
        operator = "lessOrEqual" if below else "greaterThan"
        return Xml.Element("SimplePredicate", field=field, operator=operator, value=repr(float(cut)))

    @staticmethod
    def _among(field: str, values: list[str]) -> Xml.Element:
        if not values:
            return Xml.Element("False")
        if len(values) == 1:
            return Xml.Element("SimplePredicate", field=field, operator="equal", value=values[0])
        found = Xml.Element("SimpleSetPredicate", field=field, booleanOperator="isIn")
        array = Xml.SubElement(found, "Array", n=str(len(values)), type="string")
        array.text = " ".join('"' + value.replace('"', '\\"') + '"' for value in values)
        return found

    def _sum(self, plane: Plane) -> Xml.Element:
        total: Xml.Element | None = None
        for column, weight, code in zip(plane.columns, plane.weights, plane.codes, strict=True):
            term = Xml.Element("Apply", function="*")
            constant = Xml.SubElement(term, "Constant", dataType="double")
            constant.text = repr(float(weight))
            if column.levels is not None:
                raise ValueError(f"PMML has no form for the ordered column {column.name!r} in a weighted sum.")
            if code < 0:
                Xml.SubElement(term, "FieldRef", field=column.name)
            else:
                value = (column.values or ())[code]
                Xml.SubElement(term, "NormDiscrete", field=column.name, value=value, mapMissingTo="0")
            if total is None:
                total = term
            else:
                both = Xml.Element("Apply", function="+")
                both.append(total)
                both.append(term)
                total = both
        assert total is not None
        return total
