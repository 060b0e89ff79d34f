"""Typed columns become the table that was asked for."""

from __future__ import annotations

import numpy as np
import pytest

from clearwood.read import read
from clearwood.read.assemble import assemble
from clearwood.read.request import Request
from clearwood.table import Column

pd = pytest.importorskip("pandas")


FRAME = pd.DataFrame(
    {"age": [31, 54, 40], "sex": ["f", "m", "f"], "weight": [1.0, 2.0, 0.5], "ill": ["no", "yes", None]}
)


def test_rows_without_a_class_are_kept() -> None:
    assert read(FRAME).y.tolist() == [0, 1, -1] and read(FRAME).n_rows == 3


def test_weights_column() -> None:
    table = read(FRAME, weights="weight")
    assert table.weights.tolist() == [1, 2, 0.5] and "weight" not in table.feature_names


@pytest.mark.parametrize(("bad", "found"), [(-1.0, "-1"), (np.nan, "a missing value"), (np.inf, "inf")])
def test_bad_weights_are_named(bad: float, found: str) -> None:
    frame = FRAME.assign(weight=[1, bad, 1])
    with pytest.raises(ValueError, match=f"weights in column 'weight' .* row 2 holds {found}"):
        read(frame, weights="weight")
    with pytest.raises(ValueError, match="numeric names 'sex', but row 1 holds 'f'"):
        read(FRAME, weights="sex", numeric=["sex"])


def test_stated_types() -> None:
    table = read(FRAME.assign(code=["10", "9", "?"]), "ill", nominal=["age", "weight"], numeric=["code"])
    assert table.columns[0] == Column("age", ("31", "40", "54")) and table.column("age").tolist() == [0, 2, 1]
    assert table.columns[2] == Column("weight", ("0.5", "1", "2"))
    np.testing.assert_array_equal(table.column("code"), [10, 9, np.nan])


def test_stated_target_of_numbers() -> None:
    assert read(FRAME, "weight", nominal=["weight"]).classes == ("0.5", "1", "2")


def test_a_table_of_nothing() -> None:
    table = assemble([], Request(), source="nothing", name="")
    assert table.n_rows == 0 and table.target is None
    assert read(FRAME[["ill"]]).n_features == 0 and read(FRAME[["ill"]]).n_rows == 3
    assert read(FRAME.iloc[:0]).n_rows == 0


def test_numbers_that_are_taken_as_names_keep_their_gaps() -> None:
    table = read(FRAME.assign(age=[54, np.nan, 31], ill=[1, np.nan, 2]), nominal=["age"])
    assert table.columns[0] == Column("age", ("31", "54")) and table.column("age").tolist() == [1, -1, 0]
    assert table.classes == ("1", "2") and table.y.tolist() == [0, -1, 1]


@pytest.mark.parametrize("options", [{"ordered": "x"}, {"nominal": "x"}])
def test_infinite_numbers_are_no_values(options) -> None:
    with pytest.raises(ValueError, match="column 'x' holds infinite values; replace them"):
        read(pd.DataFrame({"x": [1.0, np.inf], "y": ["a", "b"]}), **options)
