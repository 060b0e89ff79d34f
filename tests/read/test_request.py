"""What a caller may ask of a reader, and what is said when it cannot be had."""

from __future__ import annotations

import pytest

from clearwood.read import read
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
