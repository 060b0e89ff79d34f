"""Cells as forests and the search read them: ranks, pooled values, rows made of other rows' cells."""

import numpy as np

from clearwood import Column, Table
from clearwood.learn.coded_cells import coded_cells, coded_nominal

TABLE = Table(
    [Column("age"), Column("name", ("ann", "bob", "cy", "dee")), Column("empty")],
    [[30, np.nan, 20, 30, 50, 20, 20], [0, 0, 0, 1, 1, 2, -1], [np.nan] * 7],
    target=Column("ill", ("no", "yes")),
    y=[0, 1, 0, 1, 0, 1, 0],
)


def test_numbers_have_ranks_and_missing_ones_none():
    cells = coded_cells(TABLE)
    assert cells.rank.tolist() == [[1, -1, 0, 1, 2, 0, 0], [-1] * 7]
    assert cells.n_ranks.tolist() == [3, 0]
    assert cells.values[0, :3].tolist() == [20, 30, 50]


def test_values_of_fewer_than_three_rows_are_taken_for_missing():
    cells = coded_cells(TABLE)
    assert [rare.tolist() for rare in cells.rare] == [[False, True, True, True]]
    assert cells.nominal.tolist() == [[0, 0, 0, 4, 4, 4, 4]]
    assert coded_nominal(TABLE.take([6, 5, 0]), cells.rare).tolist() == [[4, 4, 0]]


def test_synthetic_rows_are_made_of_the_tables_cells():
    cells = coded_cells(TABLE).with_drawn(np.array([[2, 4], [0, 0], [3, 0]]))
    assert cells.numeric[0, 7:].tolist() == [20, 50] and cells.rank[0, 7:].tolist() == [0, 2]
    assert cells.nominal[0, 7:].tolist() == [4, 0]


def test_a_table_of_nominal_columns_alone():
    table = Table([Column("a", ("x", "y"))], [[0, 1, 1, 1]], target=Column("c", ("n", "y")), y=[0, 1, 1, 0])
    cells = coded_cells(table)
    assert cells.numeric.shape == (0, 4) and cells.rank.shape == (0, 4) and len(cells.n_ranks) == 0
