"""Prune a scanned tree by pessimistic error, as the kernels' pruner does; the engine counts where rows would go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clearwood.kernels.common.codes import TestKind
from clearwood.learn.growing import Pruning
from clearwood.learn.scanned.candidates import EPSILON
from clearwood.learn.scanned.errors import expected_errors, majority_errors
from clearwood.learn.scanned.flows import Flows
from clearwood.learn.scanned.nodes import Node

__all__ = ["Pruner"]


@dataclass
class Pruner:
    """Prunes what was grown from counts; the parts that were finished in memory are pruned already.

    Nodes are considered level by level from below. Those of one level have no row in common, so whatever must be asked
    about them is asked at once.
    """

    flows: Flows
    how: Pruning

    def prune(self, root: Node) -> Node:
        """The pruned tree; its root may be another node."""
        if self.how.collapse:
            self._collapse(root)
        if not self.how.prune:
            return root
        return self._prune_below(root)

    def _collapse(self, root: Node) -> None:
        """Top-down, make a leaf of each node whose subtree makes no fewer training errors."""
        errors: dict[Node, float] = {}
        nodes = list(root.walk())
        for node in reversed(nodes):  # children before parents
            if node.finished is not None:
                errors[node] = node.finished.errors
            elif node.kind == TestKind.LEAF:
                errors[node] = self._majority_errors(node)
            else:
                errors[node] = sum(errors[child] for child in node.children)
        for node in nodes:
            if node.children and errors[node] >= self._majority_errors(node) - 1e-3:
                node.make_leaf()

    def _prune_below(self, root: Node) -> Node:
        """Prune a tree: its nodes from the lowest level up, and a raised branch again."""
        levels: dict[int, list[Node]] = {}
        for node in root.walk():
            if node.children:
                levels.setdefault(node.depth, []).append(node)
            else:
                node.below = self._estimate(node) if node.finished is None else node.finished.below
        for depth in sorted(levels, reverse=True):
            for node, raised in self._consider(levels[depth]):
                again = self._prune_below(raised)
                again.put_in_place_of(node)
                if node is root:
                    root = again
        return root

    def _consider(self, nodes: Sequence[Node]) -> list[tuple[Node, Node]]:
        """Keep each node, or make it a leaf; those to be raised come back with what takes their place."""
        trials: dict[Node, Node] = {}
        limits: dict[Node, float] = {}
        as_leaf = {node: self._estimate(node) for node in nodes}
        as_tree = {node: float(sum(child.below for child in node.children)) for node in nodes}
        for node in nodes:
            if self.how.raise_subtrees:
                largest = _largest_branch(node)
                # as in the kernels: errors above the limit decide alike, and more rows never lower an estimate
                limits[node] = as_tree[node] + 0.2 if as_tree[node] > as_leaf[node] - 0.2 else as_leaf[node]
                for_sure = _at_most(as_leaf[node], as_tree[node] + 0.1) and largest.below >= as_leaf[node]
                if not for_sure or self.flows.shares:
                    trials[node] = largest
        flown = self.flows.try_branches(trials, limits, self.how)
        raised = []
        for node in nodes:
            as_branch, branch = flown.get(node, (np.inf, None))
            if _at_most(as_leaf[node], as_tree[node] + 0.1) and _at_most(as_leaf[node], as_branch + 0.1):
                node.make_leaf()
                node.below = as_leaf[node]
            elif branch is not None and _at_most(as_branch, as_tree[node] + 0.1):
                raised.append((node, branch))
            else:
                node.below = as_tree[node]
        return raised

    def _estimate(self, node: Node) -> float:
        return float(expected_errors(node.counts.reshape(1, -1), self.how)[0])

    def _majority_errors(self, node: Node) -> float:
        return float(majority_errors(node.counts.reshape(1, -1))[0])


def _largest_branch(node: Node) -> Node:
    """The child of largest weight, the last of equals."""
    best, largest = 0.0, node.children[0]
    for child in node.children:
        weight = float(child.bag.sum())
        if best - weight < EPSILON or weight >= best:
            best, largest = weight, child
    return largest


def _at_most(a: float, b: float) -> bool:
    return a - b < EPSILON or a <= b
