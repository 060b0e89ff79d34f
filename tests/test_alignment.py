import numpy as np

from clearwood.alignment import align_cells, translation
from clearwood.table import Column


def test_a_column_without_any_value_fits_every_type():
    codes = align_cells(Column("x"), np.full(2, np.nan), Column("x", ("a", "b")))
    assert codes.tolist() == [-1, -1] and codes.dtype == np.int32
    numbers = align_cells(Column("x", ("a",)), np.array([-1, -1], np.int32), Column("x"))
    assert np.isnan(numbers).all() and numbers.dtype == np.float64


def test_cells_already_as_wanted_are_not_copied():
    cells = np.array([0, 1], dtype=np.int32)
    assert align_cells(Column("x", ("a", "b")), cells, Column("x", ("a", "b"))) is cells


def test_values_are_translated_by_text():
    assert translation(("b", "c", "a"), ("a", "b")).tolist() == [1, -1, 0, -1]
