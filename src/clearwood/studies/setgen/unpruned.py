"""UnprunedSetGen: SET-GEN with an unpruned final tree, for the paper's claim that those behave alike."""

from __future__ import annotations

from typing import Any

from clearwood.evolve.setgen.classifier import SetGenClassifier
from clearwood.evolve.setgen.search import SubsetSearch
from clearwood.learn.base import TreeClassifier
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["UnprunedSetGen"]


class UnprunedSetGen(SetGenClassifier):
    """SET-GEN whose search is judged by pruned trees, as ever, and whose final tree is not pruned."""

    def _finish(self, search: SubsetSearch, base: TreeClassifier, table: Table, labels: tuple[Any, ...]) -> Tree:
        return super()._finish(search, base.set_params(prune=False), table, labels)
