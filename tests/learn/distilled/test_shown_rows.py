"""Rows shown to classifiers of other libraries: each column is what it was in the user's frame."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from clearwood import Column, Table
from clearwood.learn.distilled.shown_rows import ShownRows
from clearwood.learn.distilled.targets import drawn_cells, drawn_table
from clearwood.read.frames import frame_to_table

RNG = np.random.default_rng(0)
N = 60
DAYS = pd.date_range("2020-01-01 03:00", periods=N, freq="31h")
FRAME = pd.DataFrame(
    {
        "half": RNG.normal(size=N),
        "single": RNG.normal(size=N).astype(np.float32),
        "whole": RNG.integers(9, size=N),
        "small": RNG.integers(9, size=N).astype(np.uint8),
        "gaps": pd.array([1, None, 3] * (N // 3), dtype="Int64"),
        "flag": RNG.random(N) > 0.5,
        "hot": pd.arrays.SparseArray(RNG.random(N) > 0.8),
        "maybe": pd.array([True, None, False] * (N // 3), dtype="boolean"),
        "object flag": np.array([True, None, False] * (N // 3), dtype=object),
        "word": pd.Series(RNG.choice(list("uvw"), N)),
        "object": pd.Series(RNG.choice(list("uvw"), N), dtype=object),
        "truths": pd.Series(RNG.choice(["true", "false"], N)),
        "kind": pd.Categorical(RNG.choice(list("uv"), N), categories=["w", "v", "u"]),
        "number": pd.Categorical(RNG.integers(3, size=N)),
        "size": pd.Categorical(RNG.choice(["S", "L"], N), categories=["S", "M", "L"], ordered=True),
        "day": DAYS,
        "second": DAYS.astype("datetime64[s]"),
        "zone": DAYS.tz_localize("Europe/Vienna"),
        "time": DAYS - DAYS[7],
    }
)
TABLE = frame_to_table(FRAME)


def test_a_frame_comes_back_as_it_was():
    shown = ShownRows(FRAME, TABLE)(LogisticRegression(), TABLE, fitted=False)
    pd.testing.assert_frame_equal(shown, FRAME, check_freq=False)


def test_synthetic_rows_have_cells_of_the_same_types():
    source = drawn_cells(TABLE, 500, np.random.default_rng(1))
    shown = ShownRows(FRAME, TABLE)(LogisticRegression(), drawn_table(TABLE, source), fitted=False)
    assert shown.dtypes.to_dict() == FRAME.dtypes.to_dict()
    numeric = [name for name, column in zip(FRAME, TABLE.columns, strict=True) if not column.is_nominal]
    nominal = [name for name, column in zip(FRAME, TABLE.columns, strict=True) if column.is_nominal]
    for name, rows in zip([*numeric, *nominal], source, strict=True):
        pd.testing.assert_series_equal(shown[name], FRAME[name].iloc[rows].reset_index(drop=True))


def test_columns_are_in_the_order_that_a_model_knows():
    model = LogisticRegression().fit(FRAME[["whole", "half"]], FRAME["flag"])
    frame = FRAME[["half", "whole"]]
    shown = ShownRows(frame, frame_to_table(frame))(model, frame_to_table(frame))
    pd.testing.assert_frame_equal(shown, FRAME[["whole", "half"]])


def test_other_rows_may_have_gaps_and_halves():
    frame = FRAME[["whole", "flag", "word"]]
    shown = ShownRows(frame, frame_to_table(frame))
    columns = frame_to_table(frame).columns
    other = Table(columns, [[1.5, np.nan], [-1, 1], [2, -1]])
    seen = shown(LogisticRegression(), other, fitted=False)
    assert seen["whole"].isna().tolist() == [False, True] and seen["whole"][0] == 1.5
    assert seen["flag"].isna().tolist() == [True, False] and seen["flag"][1] is True
    assert seen["word"][0] == "w" and seen["word"].isna()[1]


@pytest.mark.parametrize("frame", [None, np.zeros((2, 2))])
def test_without_a_frame_of_pandas_columns_are_what_pandas_would_make_of_them(frame):
    table = Table(
        [Column("n"), Column("k", ("u", "v")), Column("f", ("false", "true")), Column("d", is_date=True),
         Column("s", levels=("S", "L"))],
        [[1.0, 2.0], [1, -1], [0, 1], [0.0, 86_400_000.0], [1.0, np.nan]],
    )  # fmt: skip
    shown = ShownRows(frame, table)(LogisticRegression(), table, fitted=False)
    assert shown["n"].tolist() == [1.0, 2.0] and shown["k"].dtype == pd.Series(["v"]).dtype
    assert shown["k"][0] == "v" and shown["k"].isna()[1]
    assert shown["f"].dtype == bool and shown["d"].dt.day.tolist() == [1, 2]
    assert shown["s"].dtype == pd.CategoricalDtype(["S", "L"], ordered=True) and shown["s"][0] == "L"


def test_numbers_without_names_are_an_array():
    table = Table([Column("x0"), Column("x1")], [[1.0, 2.0], [3.0, 4.0]])
    for fitted in (False, True):
        assert ShownRows()(LogisticRegression(), table, fitted=fitted).tolist() == [[1.0, 3.0], [2.0, 4.0]]
