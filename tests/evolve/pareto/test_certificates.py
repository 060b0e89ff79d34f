"""Certificates: what is proved of a front, against all trees there are, and what is not claimed."""

import numpy as np
import pytest
from splittable_tables import NARROW, splittable_tables

from clearwood import Column, ParetoTreeClassifier, Table, join_fronts
from clearwood.evolve.pareto.certificates import Certificates, default_work, unavoidable_errors
from clearwood.evolve.pareto.search import FrontSearch
from clearwood.evolve.pareto.settings import FrontSettings
from clearwood.kernels.reference.pareto.exhaustive import all_tests, fewest_errors
from clearwood.read import datasets

SHORT = {"generations": 1, "population_size": 4, "improvements": 0, "selection": 2, "random_state": 0}


def searched(table, **settings):
    search = FrontSearch(table, FrontSettings(generations=1, population_size=4, improvements=0, **settings), 0)
    while not search.finished:
        search.advance()
    return search


def test_small_trees_are_the_best_of_all_however_short_the_search():
    proved = 0
    for table in splittable_tables(25, max_rows=9, max_columns=3, kinds=NARROW):
        search = searched(table, max_leaves=9)
        certificates = Certificates(search)
        tests = list({test.tobytes(): test for test in all_tests(table)}.values())
        if certificates.refused or len(tests) > 14:
            continue
        rows = np.ones(table.n_rows, dtype=bool)
        for leaves in (2, 3, 4):
            expected = fewest_errors(table, rows, tests, leaves, leaves - 1) / table.weights.sum()
            assert certificates.lower_bound(leaves) == pytest.approx(expected, abs=1e-9)
            found = [wrong / search.total_weight for size, wrong, _ in search.found() if size <= leaves]
            assert min(found) == pytest.approx(expected, abs=1e-9)
            proved += 1
        deep = min(wrong for size, wrong, _ in search.found() if size <= 8)
        assert deep <= fewest_errors(table, rows, tests, 8, 3) + 1e-9
        for size, wrong, genes in search.found():  # the errors are those of the tree
            tree = search.tree(genes, table.classes)
            assert tree.n_leaves == size
            assert table.weights[tree.predict(table) != table.y].sum() == pytest.approx(wrong)
    assert proved > 20


def test_rows_that_differ_in_class_alone_bound_every_size():
    table = Table(
        [Column("x"), Column("sky", ("sun", "rain"))],
        [[1, 1, 1, 2, 2, np.nan, np.nan, 0.0, -0.0], [0, 0, 0, 1, 1, 1, 1, -1, -1]],
        target=Column("y", ("no", "yes")),
        y=[0, 1, 1, 0, 0, 0, 1, 0, 1],
    )
    assert unavoidable_errors(table, np.ones(9, dtype=np.int64)) == 3
    assert unavoidable_errors(table, np.array([5, 1, 1, 1, 1, 1, 4, 1, 1])) == 2 + 1 + 1
    clf = ParetoTreeClassifier(generations=20, population_size=40, selection=2, random_state=0).fit(table)
    assert [entry.lower_bound for entry in clf.front_] == pytest.approx([3 / 9] * len(clf.front_))
    assert clf.front_[-1].proved


def test_what_is_not_searched_through_is_not_claimed():
    rng = np.random.default_rng(0)
    x, codes, y = rng.normal(size=(3, 60)), rng.integers(7, size=60), rng.integers(2, size=60)
    numbers = Table([Column(n) for n in "abc"], list(x), target=Column("y", ("no", "yes")), y=y)
    proved = [entry.proved for entry in ParetoTreeClassifier(**SHORT).fit(numbers).front_]
    assert proved[:4] == [True, True, True, False]
    assert not any(entry.proved for entry in ParetoTreeClassifier(**SHORT, certify=100).fit(numbers).front_)
    begun = ParetoTreeClassifier(**SHORT, certify=20_000).fit(numbers).front_  # four leaves are begun, not finished
    assert [(entry.n_leaves, entry.proved) for entry in begun][:3] == [(2, True), (3, True), (4, False)]
    without = ParetoTreeClassifier(**SHORT, certify=False).fit(numbers).front_
    assert all(np.isnan(entry.lower_bound) and not entry.proved for entry in without)
    values = Table([Column("v", tuple("pqrstuv")), Column("a")], [codes, x[0]], target=numbers.target, y=y)
    certificates = Certificates(searched(values))
    assert "too many values" in certificates.refused and certificates.lower_bound(2) == 0
    with pytest.raises(ValueError, match="certify must be"):
        ParetoTreeClassifier(certify=-1).fit(numbers)


def test_a_proof_that_bounds_make_short_is_found():
    """With less work than to look at each column below each below each."""
    rng = np.random.default_rng(0)
    n_rows, n_columns = 120, 40
    y, cells = rng.integers(3, size=n_rows), rng.integers(2, size=(n_columns, n_rows)) * 1.0
    cells[:3] = np.where(rng.random((3, n_rows)) < 0.1, cells[:3], y == np.c_[:3])
    columns, target = [Column(f"x{i}") for i in range(n_columns)], Column("y", ("a", "b", "c"))
    table = Table(columns, list(cells), target=target, y=y)
    search = searched(table, max_leaves=4)
    certificates = Certificates(search, n_rows * n_columns**3 // 2)
    errors = [certificates.lower_bound(n_leaves) for n_leaves in (2, 3, 4)]
    assert errors[0] > errors[1] > errors[2] > 0  # no rows are alike
    least = {}
    for size, wrong, _ in search.found():
        least[size] = min(least.get(size - 1, 1), wrong / search.total_weight)
    assert errors == pytest.approx([least[n_leaves] for n_leaves in (2, 3, 4)])


def test_the_work_follows_that_of_the_searches():
    def work(n_rows, n_columns, generations, n_searches):
        x = np.random.default_rng(0).normal(size=(n_columns, n_rows))
        columns = [Column(f"x{i}") for i in range(n_columns)]
        table = Table(columns, list(x), target=Column("y", ("no", "yes")), y=np.arange(n_rows) % 2)
        search = FrontSearch(table, FrontSettings(generations=generations), 0)
        search.done = generations
        return default_work(search, n_searches)

    assert work(200, 10, 1000, 11) == (60 + 28) * 11 * 500 * 1000
    assert work(200, 10, 500, 11) == work(200, 10, 1000, 11) / 2
    assert work(2000, 50, 1000, 11) == 250 * 11 * 500 * 1000
    assert work(200, 10, 20, 1) == 50_000_000


def test_words_rows_and_other_tables():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 40)), rng.integers(2, size=40)
    table = Table([Column("a"), Column("b")], list(x), target=Column("y", ("no", "yes")), y=y)
    clf = ParetoTreeClassifier(**SHORT | {"selection": 3}).fit(table)
    assert "No tree of 3 leaves" in clf.explain_choice() and "proved" in clf.explain_choice()
    assert "proved" not in clf.choose(6).explain_choice()
    assert "(proved to be the least)" in clf.front_._repr_html_()
    assert "(proved to be the least)" in repr(clf.front_.of_size(3))
    larger = clf.front_.of_size(6)
    assert f"{larger.certificate})" in repr(larger)
    assert larger.certificate == f"the best found, at least {100 * larger.lower_bound:.1f} %"
    assert ParetoTreeClassifier(**SHORT, certify=False).fit(table).front_[0].certificate == ""
    row = clf.front_.to_rows()[0]
    assert row["proved"] and row["lower_bound"] == row["training_error"]
    other = table.take(np.arange(20))
    assert not any(entry.proved for entry in join_fronts(clf, table=other))


def test_eight_leaves_of_three_levels_are_no_worse_than_the_optimum():
    try:
        table = datasets.load("glass")
    except FileNotFoundError as error:
        pytest.skip(str(error))
    front = ParetoTreeClassifier(**SHORT).fit(table).front_
    best = min(round(entry.training_error * table.n_rows) for entry in front if entry.n_leaves <= 8)
    assert best <= 45  # the optimum of three levels, by ConTree
    assert [round(front.of_size(k).lower_bound * table.n_rows) for k in (2, 3, 4)] == [105, 81, 70]
