"""Targets: what share of each class a row is to have."""

import numpy as np
import pytest

from clearwood import Column, Table
from clearwood.learn.coded_cells import coded_cells
from clearwood.learn.distilled.targets import (
    EVEN,
    EVEN_WEIGHT,
    drawn_cells,
    drawn_table,
    even_cells,
    real_targets,
    soft_rows,
    synthetic_cells,
)  # fmt: skip

TABLE = Table(
    [Column("x")], [[0.0, 1.0, 2.0, 3.0, 4.0]], target=Column("y", ("often", "once", "never")), y=[0, 0, 0, 1, 0]
)


def test_a_target_is_a_quarter_the_label_and_the_rest_what_the_teacher_says():
    own = np.tile([0.2, 0.4, 0.4], (5, 1))
    assert real_targets(TABLE, own)[0] == pytest.approx([0.25 + 0.75 * 0.2, 0.3, 0.3])
    own[0] = np.nan  # the teacher says nothing of it
    assert real_targets(TABLE, own)[0] == pytest.approx([1, 0, 0])


def test_rows_of_a_rare_class_keep_their_label():
    own = np.tile([1.0, 0.0, 0.0], (5, 1))  # parts of a teacher that have not seen the only row of a class
    assert real_targets(TABLE, own)[3] == pytest.approx([0, 1, 0])


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_hundreds_of_classes_that_are_all_unlikely_stay():
    n = 120
    columns, target = [Column("x")], Column("y", tuple(map(str, range(n))))
    table = Table(columns, [np.arange(float(n))], target=target, y=np.arange(n))
    source = drawn_cells(table, 50, np.random.default_rng(0))
    own, said = np.full((n, n), np.nan), np.full((50, n), 1 / n)
    rows = soft_rows(table, coded_cells(table), own, source, said)
    assert rows.target_sum(np.arange(n, n + 50, dtype=np.int32)) == pytest.approx(1)
    said[:, 0] = 0.5  # there is one that is not, so the others, some 0.004 each, are left out
    said[:, 1:] = 0.5 / (n - 1)
    rows = soft_rows(table, coded_cells(table), own, source, said)
    assert rows.target_sum(np.arange(n, n + 50, dtype=np.int32))[:2] == pytest.approx([n, 0])


def lopsided():
    """Nearly all rows are alike; a few lie far away, some cells are missing, one column is missing as a whole."""
    n = 400
    x = np.r_[np.linspace(0, 1, n - 4), 3, 6, 9, 10]
    z = np.where(np.arange(n) % 5 == 0, np.nan, np.arange(n) % 2)
    town = np.r_[np.zeros(n - 3), 1, 2, -1].astype(int)
    columns = [Column("x"), Column("town", ("big", "small", "tiny", "absent")), Column("z"), Column("gone")]
    y = np.arange(n) % 2
    return Table(columns, [x, town, z, np.full(n, np.nan)], target=Column("y", ("a", "b")), y=y)


def test_even_rows_lie_in_all_parts_of_the_domains():
    table = lopsided()
    even = drawn_table(table, even_cells(table, 4000, np.random.default_rng(0)))
    x, town, z = even.column("x"), even.column("town"), even.column("z")
    assert set(x) <= set(table.column("x")) and set(z) == {0.0, 1.0}
    # the value next to a place between 0 and 10: half way between neighbours the domain of one ends
    assert [np.mean(x == value) for value in (3, 6, 9, 10)] == pytest.approx([0.25, 0.3, 0.2, 0.05], abs=0.03)
    assert np.bincount(town) / 4000 == pytest.approx([1 / 3] * 3, abs=0.03)  # what occurs, each as often
    assert np.isnan(even.column("gone")).all()
    assert abs(np.corrcoef(x, z)[0, 1]) < 0.05
    mixed = drawn_table(table, drawn_cells(table, 4000, np.random.default_rng(0)))
    assert np.mean(mixed.column("x") > 1) < 0.03


def test_numbers_at_the_ends_of_what_can_be_written_are_drawn_too():
    values = np.array([-1.7e308, 0.0, 1.7e308])
    table = Table([Column("x")], [values], target=Column("y", ("a", "b")), y=[0, 1, 0])
    with np.errstate(all="raise"):
        even = drawn_table(table, even_cells(table, 900, np.random.default_rng(0)))
    assert [np.mean(even.column("x") == value) for value in values] == pytest.approx([0.25, 0.5, 0.25], abs=0.05)


def test_even_rows_weigh_a_quarter_of_the_real_ones_and_mixed_ones_as_much_as_these():
    table = lopsided()
    source, share = synthetic_cells(table, 300, np.random.default_rng(0))
    assert source.shape == (4, 300 + int(EVEN * 300)) and len(share) == source.shape[1]
    said = np.tile([0.25, 0.75], (len(share), 1))
    rows = soft_rows(table, coded_cells(table), np.full((table.n_rows, 2), np.nan), source, said, share)
    made = np.arange(table.n_rows, table.n_rows + len(share), dtype=np.int32)
    assert rows.target_sum(made[:300]) == pytest.approx([100, 300])
    assert rows.target_sum(made[300:]) == pytest.approx([100 * EVEN_WEIGHT, 300 * EVEN_WEIGHT])
    assert synthetic_cells(table, 0, np.random.default_rng(0))[0].shape == (4, 0)
