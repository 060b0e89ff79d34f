"""Polish: no small subtree can be replaced by a better one, against all subtrees there are; and where it stays away."""

import numpy as np
import pytest
from splittable_tables import NARROW, splittable_tables, wrong_rows

from clearwood import ParetoTreeClassifier
from clearwood.evolve.pareto import polish
from clearwood.evolve.pareto.exact_trees import ExactTrees
from clearwood.evolve.pareto.polish import Polish
from clearwood.evolve.pareto.ranked_columns import ranked_columns
from clearwood.evolve.pareto.search import FrontSearch
from clearwood.evolve.pareto.settings import FrontSettings
from clearwood.kernels.reference.pareto.exhaustive import all_tests, fewest_errors

MOST = 8


def evolved(table, **settings):
    options = {"generations": 2, "population_size": 8, "improvements": 0, "max_leaves": MOST} | settings
    search = FrontSearch(table, FrontSettings(**options), 0)
    while not search.finished:
        search.advance()
    return search


def test_no_subtree_of_two_levels_can_be_replaced_by_a_better_one(monkeypatch):
    """Numbers with ties, sets of values, gaps, weights."""
    monkeypatch.setattr(polish, "WORK_PER_TREE", 10**9)
    checked = better = gaps = 0
    for table in splittable_tables(30, max_rows=14, max_columns=3, kinds=NARROW):
        search = evolved(table)
        before = search.fewest_wrong()
        Polish(search).run()
        fewest = search.fewest_wrong()
        tests = all_tests(table.select([table.feature_names[column] for column in search.bits.usable]))
        assert all(now <= then for now, then in zip(fewest, before, strict=True))
        if ranked_columns(table, search.bits) is None or len(tests) > 40:
            continue
        better += fewest != before
        gaps += search.bits.has_missing.any()
        for size, wrong, genes in search.found():
            tree = search.tree(genes, table.classes)
            assert wrong_rows(tree, table) == pytest.approx(wrong)
            leaf, nodes = tree.apply(table), list(tree.walk())
            errors, subtrees = Polish(search)._small_subtrees(genes)
            assert errors / search.bits.scale == pytest.approx(wrong)
            for subtree in subtrees:  # its rows are those that the tree sends there
                below = [child for child in tree.walk(nodes[subtree.node]) if tree.is_leaf(child)]
                assert len(below) == subtree.leaves
                rows = np.flatnonzero(np.isin(leaf, below)).tolist()
                assert search.bits.rows(subtree.bitset).tolist() == rows
                assert subtree.n_rows == len(rows)
            for node in nodes:
                below = [child for child in tree.walk(node) if tree.is_leaf(child)]
                if not 1 < len(below) < 5:
                    continue
                rows = np.isin(leaf, below)
                own = table.weights[rows & (tree.predict(table) != table.y)].sum()
                for leaves in range(1, 5):
                    n = size - len(below) + leaves
                    if 2 <= n <= MOST:
                        best = fewest_errors(table, rows, tests, leaves, min(2, leaves - 1))
                        assert wrong - own + best >= fewest[n] / search.bits.scale - 1e-6
                        checked += 1
    assert checked > 500 and better > 5 and gaps > 3


def test_a_limit_of_work_or_of_cells_leaves_trees_as_they_are(monkeypatch):
    table = next(t for t in splittable_tables(30, max_rows=40, kinds=("many values",)) if t.n_rows > 25)
    search = evolved(table)
    before = [genes.tobytes() for _, _, genes in search.found()]
    for name in ("WORK_PER_TREE", "MOST_CELLS"):
        with monkeypatch.context() as patch:
            patch.setattr(polish, name, 0)
            Polish(search).run()
            assert [genes.tobytes() for _, _, genes in search.found()] == before
    Polish(search).run()
    assert [genes.tobytes() for _, _, genes in search.found()] != before


def test_what_is_best_on_some_rows_is_looked_for_once(monkeypatch):
    monkeypatch.setattr(polish, "WORK_PER_TREE", 10**9)
    found, made = [], []
    fewest, genes = ExactTrees.fewest, ExactTrees.genes

    def record_fewest(exact, rows, leaves, height, bound, work):
        best = fewest(exact, rows, leaves, height, bound, work)
        if best.errors < bound:
            found.append((rows.tobytes(), leaves))
        return best

    def record_genes(exact, rows, leaves, height):
        if height == polish.HEIGHT:
            made.append((rows.tobytes(), leaves))
        return genes(exact, rows, leaves, height)

    monkeypatch.setattr(ExactTrees, "fewest", record_fewest)
    monkeypatch.setattr(ExactTrees, "genes", record_genes)
    for table in splittable_tables(10, max_rows=40, max_columns=3, kinds=NARROW):
        found.clear()
        made.clear()
        Polish(evolved(table)).run()
        assert len(found) == len(set(found)) and len(made) == len(set(made))
    assert made


def test_a_search_ends_with_it_once_and_only_if_asked():
    table = next(t for t in splittable_tables(30, max_rows=40, kinds=("many values",)) if t.n_rows > 25)
    plain = evolved(table).fewest_wrong()
    assert evolved(table, polish=False, improvements=1).fewest_wrong() >= evolved(table, improvements=1).fewest_wrong()
    assert evolved(table, polish=True).fewest_wrong() < plain
    stopped = FrontSearch(table, FrontSettings(generations=9, population_size=8, improvements=1, max_leaves=MOST), 0)
    stopped.advance()
    before = stopped.fewest_wrong()
    stopped.polish()  # the time is up
    assert not stopped.finished and stopped.fewest_wrong() < before
    after = stopped.state()
    stopped.polish()
    assert all((stopped.state()[name] == array).all() for name, array in after.items())
    with pytest.raises(TypeError, match="polish must be True or False"):
        ParetoTreeClassifier(polish="yes").fit(table)
