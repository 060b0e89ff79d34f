"""What a caller may ask of a reader, and what is said when it cannot be had."""

from __future__ import annotations

import numpy as np
import pytest

from clearwood.read import read
from clearwood.read.assemble import assemble
from clearwood.read.numerals import order_values
from clearwood.read.request import Request
from clearwood.table import Column

pd = pytest.importorskip("pandas")

FRAME = pd.DataFrame(
    {"age": [31, 54, 40], "sex": ["f", "m", "f"], "weight": [1.0, 2.0, 0.5], "ill": ["no", "yes", None]}
)


def test_target_is_the_last_column_that_is_left() -> None:
    assert read(FRAME).target == Column("ill", ("no", "yes"))
    assert read(FRAME, ignore=["ill", "weight"]).target == Column("sex", ("f", "m"))
    assert read(FRAME, ignore="ill", weights="weight").target == Column("sex", ("f", "m"))
    assert read(FRAME, "sex").feature_names == ("age", "weight", "ill")


def test_no_target() -> None:
    table = read(FRAME, target=False)
    assert table.target is None and table.n_features == 4 and (table.y == -1).all()


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


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": "il"}, "target names 'il', but the frame has no such column; did you mean 'ill'"),
        ({"nominal": ["zzz"]}, "nominal names 'zzz', .* the columns are 'age', 'sex'"),
        ({"numeric": ["zzz"]}, "numeric names 'zzz'"),
        ({"ignore": ["zzz"]}, "ignore names 'zzz'"),
        ({"weights": "zzz"}, "weights names 'zzz'"),
        ({"nominal": ["age"], "numeric": ["age"]}, "nominal and numeric both name 'age'"),
        ({"target": "sex", "ignore": ["sex"]}, "ignore names the target 'sex'"),
        ({"target": "sex", "numeric": ["sex"]}, "numeric names the target 'sex'"),
        ({"target": "sex", "weights": "sex"}, "weights and target both name 'sex'"),
        ({"numeric": ["sex"]}, "numeric names 'sex', but row 1 holds 'f'"),
        ({"target": "weight"}, r"target 'weight' is numeric \(row 3 holds 0.5\).*nominal=\['weight'\]"),
    ],
)
def test_requests_that_cannot_be_met(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(FRAME, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": True}, "target must be a column name"),
        ({"target": 3}, "target must be a column name"),
        ({"weights": [1, 2, 3]}, "weights must be the name of a column"),
        ({"nominal": [1]}, "nominal must hold column names"),
        ({"missing": [None]}, "missing must hold"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_requests_of_the_wrong_type(options: dict[str, object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        read(FRAME, **options)  # type: ignore[arg-type]


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


def test_values_that_are_numbers_are_ordered_as_numbers() -> None:
    assert order_values(["10", "9", "-1", "1e1"]) == ["-1", "9", "10", "1e1"]
    assert order_values(["10", "9", "nan"]) == ["10", "9", "nan"]
    assert order_values(["b", "10", "9", "a"]) == ["10", "9", "a", "b"]
