"""Frames: pandas, polars and Arrow give the same table, and a table fits the tree that wants it."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood.booleans import are_booleans
from clearwood.read import read
from clearwood.read.frames import columns_from_frame, frame_to_table, is_frame, table_from_frame
from clearwood.read.request import Request
from clearwood.read.values import BLANKS
from clearwood.table import Column, Table

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")


def same(a: Table, b: Table) -> None:
    assert a.columns == b.columns and a.target == b.target
    np.testing.assert_array_equal(a.numeric, b.numeric)
    np.testing.assert_array_equal(a.nominal, b.nominal)
    np.testing.assert_array_equal(a.y, b.y)
    np.testing.assert_array_equal(a.weights, b.weights)


CELLS: dict[str, list[Any]] = {
    "whole": [1, 2, 3, 4],
    "gaps": [1, None, 3, None],
    "real": [0.5, None, 2.5, -1e300],
    "text": ["b", None, "a", "?"],
    "truth": [True, None, False, True],
    "digits": ["10", "9", "2", "9"],
    "moment": [datetime(1970, 1, 2), None, datetime(2020, 1, 1, 12), datetime(1969, 12, 31, 23, 59, 59)],
    "span": [timedelta(seconds=1), None, timedelta(days=1), timedelta(0)],
    "class": ["yes", "no", None, "yes"],
}


def frames() -> list[Any]:
    polars = pl.DataFrame(CELLS)
    arrow = polars.to_arrow()
    return [polars, arrow, arrow.to_pandas(), polars.to_pandas(use_pyarrow_extension_array=True), pd.DataFrame(CELLS)]


@pytest.mark.parametrize("which", range(5))
def test_libraries_agree(which: int) -> None:
    table = read(frames()[which])
    assert [(c.name, c.values) for c in table.columns] == [
        ("whole", None),
        ("gaps", None),
        ("real", None),
        ("text", ("a", "b")),
        ("truth", ("false", "true")),
        ("digits", ("2", "9", "10")),
        ("moment", None),
        ("span", None),
    ]
    np.testing.assert_array_equal(table.column("gaps"), [1, np.nan, 3, np.nan])
    np.testing.assert_array_equal(table.column("real"), [0.5, np.nan, 2.5, -1e300])
    assert table.column("text").tolist() == [1, -1, 0, -1]
    assert table.column("truth").tolist() == [1, -1, 0, 1]
    assert table.column("digits").tolist() == [2, 1, 0, 1]
    np.testing.assert_array_equal(table.column("moment"), [86_400_000, np.nan, 1577880000000, -1000])
    np.testing.assert_array_equal(table.column("span"), [1000, np.nan, 86_400_000, 0])
    assert table.classes == ("no", "yes") and table.y.tolist() == [1, 0, -1, 1]


def test_a_dict_of_columns_is_a_frame() -> None:
    columns = {"x": [1.5, None, 3], "sky": ["sun", "rain", "?"], "play": ["no", "yes", "no"]}
    one, two = read(columns), read(pd.DataFrame(columns))
    assert one.columns == two.columns and one.target == two.target and one.y.tolist() == two.y.tolist()
    np.testing.assert_array_equal(one.numeric, two.numeric)
    np.testing.assert_array_equal(one.nominal, two.nominal)
    with pytest.raises(ValueError, match="same length"):
        read({"x": [1, 2], "y": [1]})


def test_categories_keep_their_declared_order() -> None:
    order = ["small", "large", "medium", "unused"]
    cells = ["medium", None, "small", "large"]
    category = pd.Series(pd.Categorical(cells, categories=order))
    enum = pl.Series(cells, dtype=pl.Enum(order))
    arrow = pa.DictionaryArray.from_arrays(pa.array([2, None, 0, 1], pa.uint8()), order)
    two_chunks = pa.chunked_array(
        [arrow[:2], pa.DictionaryArray.from_arrays(pa.array([1, 0], pa.uint8()), ["large", "small"])]
    )
    for frame in (
        pd.DataFrame({"size": category}), pl.DataFrame({"size": enum}), pa.table({"size": arrow}),
        pl.DataFrame({"size": enum}).to_arrow(), pa.table({"size": two_chunks}),
    ):  # fmt: skip
        table = read(frame, target=False)
        assert table.columns == (Column("size", tuple(order)),), type(frame)
        assert table.nominal.tolist() == [[2, -1, 0, 1]]


def test_categories_that_are_numbers_or_markers() -> None:
    frame = pd.DataFrame(
        {"grade": pd.Categorical([3, 1, 3], categories=[3, 2, 1]), "kind": pd.Categorical(["?", "b", "a"])}
    )
    table = read(frame, target=False)
    assert table.columns == (Column("grade", ("3", "2", "1")), Column("kind", ("a", "b")))
    assert table.nominal.tolist() == [[0, 2, 0], [-1, 1, 0]]
    assert frame_to_table(frame).columns == table.columns


def test_undeclared_categories_are_sorted() -> None:
    table = read(pl.DataFrame({"a": pl.Series(["y", None, "x"], dtype=pl.Categorical)}), target=False)
    assert table.columns[0].values == ("x", "y") and table.nominal.tolist() == [[1, -1, 0]]


@pytest.mark.parametrize(
    ("cells", "values", "expected"),
    [
        ([True, None, False], ("false", "true"), [1, -1, 0]),
        ([1, "?", 2.5], None, [1, np.nan, 2.5]),
        ([Decimal("1.5"), None, 2], None, [1.5, np.nan, 2]),
        ([None, None, "?"], (), [-1] * 3),
        ([None, None, None], (), [-1] * 3),
        ([date(1970, 1, 2), None, date(1970, 1, 1)], None, [86_400_000, np.nan, 0]),
        ([datetime(1970, 1, 1, 1, tzinfo=UTC), None, datetime(1970, 1, 1)], None, [3_600_000, np.nan, 0]),
        ([time(0, 0, 1), None, time(1)], None, [1000, np.nan, 3_600_000]),
        (["b", None, "a"], ("a", "b"), [1, -1, 0]),
    ],
)
def test_objects_of_one_kind(cells: list[object], values: tuple[str, ...] | None, expected: list[float]) -> None:
    table = read(pd.DataFrame({"a": pd.Series(cells, dtype=object)}), target=False)
    assert table.columns == (Column("a", values, is_date=isinstance(cells[0], date)),)
    np.testing.assert_array_equal(table.column(0), expected)


def test_markers_among_truth_values_are_missing() -> None:
    """They were true, being texts that are not empty, and the empty one was false."""
    table = read(pd.DataFrame({"b": [True, False, "?", "NA", "", None], "y": list("pqpqpq")}))
    assert table.column("b").tolist() == [1, 0, -1, -1, -1, -1]


def test_mixed_objects_are_nominal_with_a_warning() -> None:
    for frame in (
        pd.DataFrame({"odd": pd.Series([1, "b", None, True, 2.5], dtype=object)}),
        pl.DataFrame({"odd": pl.Series([1, "b", None, True, 2.5], dtype=pl.Object)}),
    ):
        with pytest.warns(UserWarning, match="'odd' mixes types") as caught:
            table = read(frame, target=False)
        assert caught[0].filename == __file__
        assert table.columns[0].values == ("1", "2.5", "b", "true") and table.nominal.tolist() == [[0, 2, -1, 3, 1]]


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([[1], [2]]),
        pd.Series([{}, {}]),
        pd.Series([1j, 2j]),
        pd.period_range("2020", periods=2),
        pd.Series([b"a", b"b"]),
    ],
)
def test_types_that_a_tree_cannot_test_are_named(column: Any) -> None:
    with pytest.raises(ValueError, match=r"column 'odd' .*cannot test"):
        read(pd.DataFrame({"odd": column, "class": ["x", "y"]}))


def test_names_must_differ_and_are_text() -> None:
    with pytest.raises(ValueError, match="more than one column named 'a'"):
        read(pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"]))
    with pytest.raises(ValueError, match="more than one column named '1'"):
        read(pd.DataFrame([[1, 2]], columns=[1, "1"]))
    with pytest.raises(ValueError, match="more than one column named 'a'"):
        read(pa.table([[1], [2]], names=["a", "a"]))
    assert read(pd.DataFrame([[1.5, 2]])).feature_names == ("0",)


def test_infinite_cells_are_named() -> None:
    with pytest.raises(ValueError, match="column 'a' holds an infinite value in row 2"):
        read(pd.DataFrame({"a": [1, np.inf], "class": ["x", "y"]}))


def test_what_is_no_frame() -> None:
    assert [is_frame(x) for x in (pd.DataFrame(), pl.DataFrame(), pa.table({}))] == [True] * 3
    table = Table([Column("a")], [[1.0]])
    assert [is_frame(x) for x in (np.zeros((2, 2)), [[1]], "a.csv", {"a": [1]}, None, table)] == [False] * 6
    with pytest.raises(TypeError, match="lazy"):
        read(pl.DataFrame({"a": [1]}).lazy())
    with pytest.raises(TypeError, match="source must be a path, a frame"):
        read(5)
    with pytest.raises(TypeError, match="Table already"):
        read(table)


def test_request_is_honoured() -> None:
    frame = pd.DataFrame({"id": [7, 8], "w": [0.5, 2], "code": [1, 2], "size": ["1.5", "NA"], "class": [1.0, 0.0]})
    table = table_from_frame(
        frame, Request(ignore=("id",), weights="w", nominal=("code",), numeric=("size",)), name="n"
    )
    assert table.columns == (Column("code", ("1", "2")), Column("size")) and table.name == "n"
    np.testing.assert_array_equal(table.column("size"), [1.5, np.nan])
    assert table.weights.tolist() == [0.5, 2] and table.classes == ("0", "1") and table.y.tolist() == [1, 0]


def test_features_only() -> None:
    frame = pd.DataFrame({"age": [31, 54], "sex": ["m", "NA"]})
    table = frame_to_table(frame, [1, 0], Column("ill", ("no", "yes")), [1.0, 2.0], "patients")
    assert table.columns == (Column("age"), Column("sex", ("m",))) and table.y.tolist() == [1, 0]
    assert table.weights.tolist() == [1, 2] and table.name == "patients"
    assert [column.name for column, _ in columns_from_frame(frame)] == ["age", "sex"]
    assert frame_to_table(pd.DataFrame(index=range(3))).n_rows == 3


WANTED = (Column("sex", ("f", "m")), Column("age"), Column("ok", ("true", "false")))


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_alignment_is_by_name_and_value(make: Any) -> None:
    frame = make({"ok": [True, False, None], "other": ["p", "q", "r"], "age": [1, 2, None], "sex": ["m", "x", "f"]})
    table = frame_to_table(frame, wanted=WANTED)
    assert set(table.feature_names) == {"ok", "age", "sex"}
    table = table.align(WANTED)
    assert table.columns == WANTED
    np.testing.assert_array_equal(table.column("age"), [1, 2, np.nan])
    assert table.column("sex").tolist() == [1, -1, 0] and table.column("ok").tolist() == [0, 1, -1]
    same(table, read(frame, target=False).align(WANTED))


def test_alignment_refuses_absent_columns_and_wrong_types() -> None:
    good = {"sex": ["m"], "age": [1.0], "ok": [True]}

    def aligned(**cells: Any) -> Table:
        return frame_to_table(pd.DataFrame(good | cells)).align(WANTED)

    with pytest.raises(ValueError, match="lacks 2 of the tree's columns: 'age', 'ok'"):
        frame_to_table(pd.DataFrame({"sex": ["m"]})).align(WANTED)
    with pytest.raises(ValueError, match="column 'age' is nominal in the table but numeric in the tree"):
        aligned(age=["old"])
    with pytest.raises(ValueError, match="column 'sex' is numeric in the table but nominal in the tree"):
        aligned(sex=[0])
    with pytest.raises(ValueError, match="'age' holds infinite"):
        aligned(age=[np.inf])
    empty = aligned(sex=[None], age=[None])
    assert empty.column("sex").tolist() == [-1] and np.isnan(empty.column("age")).all()


cell = st.none() | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5)
number = st.none() | st.floats(allow_infinity=False)


@settings(max_examples=60)
@given(st.lists(st.tuples(cell, number, cell), min_size=1, max_size=8))
def test_any_cells_agree_between_libraries(rows: list[tuple[str | None, float | None, str | None]]) -> None:
    columns = {name: [row[i] for row in rows] for i, name in enumerate("abc")}
    schema = {"a": pl.String, "b": pl.Float64, "c": pl.String}
    polars = pl.DataFrame(columns, schema=schema)
    table = read(polars)
    same(table, read(polars.to_arrow()))
    same(
        table, read(pd.DataFrame({k: pd.Series(v, dtype="float64" if k == "b" else "str") for k, v in columns.items()}))
    )
    values = table.columns[0].values
    assert values is not None
    found = [None if code < 0 else values[code] for code in table.column("a")]
    texts = [None if text is None or text.strip(BLANKS) in ("?", "", "NA") else text for text in columns["a"]]
    truths = are_booleans({text for text in texts if text is not None})
    assert found == [text.lower() if text is not None and truths else text for text in texts]


def padded() -> pd.DataFrame:
    return pd.DataFrame({"word": ["a", " a", "b ", " ? ", "  "], "y": ["n", "y", "n", "y", "n"]})


@pytest.mark.parametrize("form", ["frame", "polars", "parquet", "feather", "jsonl", "xlsx"])
def test_blanks_around_a_value_count_wherever_cells_are_typed(tmp_path, form):
    frame, path = padded(), tmp_path / f"t.{form}"
    write = {
        "parquet": frame.to_parquet,
        "feather": frame.to_feather,
        "jsonl": lambda path: frame.to_json(path, orient="records", lines=True),
        "xlsx": lambda path: frame.to_excel(path, index=False),
    }
    if form in write:
        write[form](path)
    source = path if form in write else frame if form == "frame" else pl.from_pandas(frame)
    table = read(source)
    assert table.columns[0].values == (" a", "a", "b ")
    assert table.column("word").tolist() == [1, 0, 2, -1, -1]  # but around a sign for a gap they do not


def test_blanks_around_a_cell_of_a_text_file_do_not_count(tmp_path):
    padded().to_csv(tmp_path / "t.csv", index=False)
    assert read(tmp_path / "t.csv").column("word").tolist() == [0, 0, 1, -1, -1]


def test_values_with_blanks_are_found_by_sql(tmp_path):
    import duckdb

    from clearwood import C45Classifier

    frame = pd.DataFrame({"word": ["a", " a"] * 5, "y": ["n", "y"] * 5})
    frame.to_parquet(tmp_path / "t.parquet")
    tree = C45Classifier().fit(read(tmp_path / "t.parquet")).tree_
    connection = duckdb.connect()
    connection.execute(f"create table t as from '{tmp_path / 't.parquet'}'")
    answers = connection.execute(tree.to_sql("t", dialect="duckdb", probability=None)).fetchall()
    assert all(y == predicted for _, y, predicted in answers) and len(answers) == 10


def test_a_declared_value_wins_over_the_marker() -> None:
    wanted = (Column("land", ("NA", "", "NA ")),)
    categories = pd.Series(["NA", "?", "", "NA ", " NA"], dtype="category")
    for cells in (["NA", "?", "", "NA ", " NA"], categories, pl.Series(categories.tolist(), dtype=pl.Categorical)):
        make = pl.DataFrame if isinstance(cells, pl.Series) else pd.DataFrame
        table = frame_to_table(make({"land": cells}), wanted=wanted).align(wanted)
        assert table.column("land").tolist() == [0, -1, 1, 2, -1]


def test_text_for_a_nominal_column_stays_text() -> None:
    for column in (Column("when", ("2020-01-01", "never")), Column("when", levels=("2020-01-01", "never"))):
        table = frame_to_table(pd.DataFrame({"when": ["2020-01-01"] * 2}), wanted=(column,)).align((column,))
        assert table.column("when").tolist() == [0, 0]
    mixed = Column("a", ("1", "2.5", "x"))
    table = frame_to_table(pd.DataFrame({"a": pd.Series([1, 2.5], dtype=object)}), wanted=(mixed,)).align((mixed,))
    assert table.column("a").tolist() == [0, 1]


def test_dates_that_are_values_match_in_any_spelling() -> None:
    column = Column("when", ("2020-01-01", "2021-01-01"))
    for cells in (["2021-01-01T00:00", "2020-01-01"], pd.to_datetime(["2021-01-01", "2020-01-01"])):
        table = frame_to_table(pd.DataFrame({"when": cells}), wanted=(column,)).align((column,))
        assert table.column("when").tolist() == [1, 0]
