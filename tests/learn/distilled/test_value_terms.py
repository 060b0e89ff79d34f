"""Which values planes may weigh: those of enough rows, of two the rarer, of very many those that tell most."""

import numpy as np
import pytest

from clearwood import Column, DistilledTreeClassifier, Table
from clearwood.kernels.distil.soft_rows import SoftRows
from clearwood.learn.coded_cells import coded_cells
from clearwood.learn.distilled import value_terms as module
from clearwood.learn.distilled.value_terms import value_terms


def table_of(columns, y=None):
    """Columns of texts, None where missing."""
    made, codes = [], []
    for name, values in columns.items():
        declared = tuple(sorted({value for value in values if value is not None}))
        made.append(Column(name, declared))
        codes.append(np.array([-1 if value is None else declared.index(value) for value in values], dtype=np.int32))
    y = np.arange(len(codes[0])) % 2 if y is None else y
    return Table(made, codes, target=Column("y", ("no", "yes")), y=y)


def named(table, terms):
    return {(table.columns[c].name, table.columns[c].values[v]) for c, v in zip(terms.column, terms.code, strict=True)}


def test_values_of_enough_rows_are_terms_and_of_two_the_rarer():
    table = table_of(
        {
            "sky": ["sun", "rain", "fog"] * 4,
            "wet": ["no"] * 8 + ["yes"] * 4,
            "id": [f"{i}" for i in range(12)],
            "odd": ["a"] * 4 + ["b"] * 3 + ["c"] * 3 + ["d", None],
        }
    )
    found = named(table, value_terms(table, coded_cells(table)))
    assert found == {("sky", "sun"), ("sky", "rain"), ("sky", "fog"), ("wet", "yes")} | {("odd", v) for v in "abc"}


def test_a_missing_or_rare_cell_has_none_of_the_values():
    table = table_of({"odd": ["a"] * 4 + ["b"] * 3 + ["c"] * 3 + ["d", None]})
    cells = coded_cells(table)
    rows = SoftRows(*cells[:6], np.eye(2)[table.y], 12, value_terms(table, cells))
    assert rows.real_cells().sum(axis=0).tolist() == [1.0] * 10 + [0.0, 0.0]


def test_of_very_many_those_that_tell_most_of_the_classes_are_taken(monkeypatch):
    monkeypatch.setattr(module, "MOST_TERMS", 3)
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=90)
    columns = {f"x{i}": rng.choice(["a", "b", "c"], size=90).tolist() for i in range(6)}
    columns["x4"] = np.where(y > 0, "a", np.where(rng.random(90) < 0.5, "b", "c")).tolist()
    table = table_of(columns, y)
    found = named(table, value_terms(table, coded_cells(table)))
    assert len(found) == 3 and ("x4", "a") in found and {name for name, _ in found} == {"x4"}


@pytest.mark.parametrize("tests", ["sparse", "linear"])
def test_a_score_of_values_is_found_and_every_way_out_agrees(tests):
    """Two of three signs: a set of one column cannot say it, a tree of such tests needs many leaves."""
    rng = np.random.default_rng(0)
    signs = {name: rng.choice(["no", "yes", "unknown"], size=300).tolist() for name in ("cough", "fever", "rash")}
    count = sum((np.array(values) == "yes").astype(int) for values in signs.values())
    table = table_of(signs, (count >= 2).astype(int))
    clf = DistilledTreeClassifier(tests=tests, random_state=0).fit(table)
    assert clf.tree_.n_leaves == 2 and (clf.tree_.predict(table) == table.y).mean() > 0.99
    plane = clf.tree_.plane(0)
    assert set(plane.term_names) == {"(cough = yes)", "(fever = yes)", "(rash = yes)"}
    assert clf.front_.of_size(2).cv_error < 0.02
    axis = DistilledTreeClassifier(random_state=0).fit(table)
    assert axis.tree_.n_leaves > 4 and not (axis.tree_.weight_codes >= 0).any()


def test_trees_route_real_rows_as_the_search_did():
    """Missing and rare values included: the figures of the front are those of its trees."""
    rng = np.random.default_rng(3)
    n = 250
    sky = rng.choice(["sun", "rain", "fog", None], size=n)
    rare = np.array([f"v{v}" for v in rng.geometric(0.5, size=n)], dtype=object)
    y = ((sky == "rain").astype(int) + (rare == "v1") + (rng.random(n) < 0.1) >= 2).astype(int)
    table = table_of({"sky": sky.tolist(), "rare": rare.tolist()}, y)
    numbers = Table(
        [*table.columns, Column("x")],
        [*table.nominal, np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n) + y)],
        target=table.target,
        y=y,
    )
    clf = DistilledTreeClassifier(tests="sparse", max_terms=2, random_state=0).fit(numbers)
    asking = [entry for entry in clf.front_ if (entry.tree.weight_codes >= 0).any()]
    assert asking
    for entry in asking:
        assert entry.training_error == pytest.approx((entry.tree.predict(numbers) != y).mean())
        widths = np.diff(entry.tree.weight_start)
        assert widths.max() <= 2
        # a leaf holds what the search has sent there: rows with every number are not shared out
        counts = np.bincount(entry.tree.apply(numbers), minlength=entry.tree.n_nodes)
        leaves = entry.tree.kind == 0
        assert counts[leaves] == pytest.approx(entry.tree.counts[leaves].sum(axis=1))
