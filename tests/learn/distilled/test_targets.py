"""Targets: what share of each class a row is to have."""

import numpy as np
import pytest

from clearwood import Column, Table
from clearwood.learn.coded_cells import coded_cells
from clearwood.learn.distilled.targets import drawn_cells, real_targets, soft_rows

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
