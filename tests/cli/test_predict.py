import csv

import numpy as np
import pytest

import clearwood as cw
from clearwood.cli.scored_file import rows_of


def read_rows(text):
    rows = list(csv.reader(text.splitlines()))
    return rows[0], rows[1:]


def test_rows_come_back_with_class_and_probabilities(clearwood, iris_csv, tree_json, tmp_path):
    out = tmp_path / "out.csv"
    answer = clearwood("predict", tree_json, iris_csv, "-o", out)
    assert (answer.status, answer.out, answer.err) == (0, "", f"150 rows written to {out}\n")
    head, rows = read_rows(out.read_text(encoding="utf-8"))
    given, given_rows = read_rows(iris_csv.read_text(encoding="utf-8"))
    assert head == [*given, "predicted", "probability_setosa", "probability_versicolor", "probability_virginica"]
    for row, original in zip(rows, given_rows, strict=True):
        assert [float(cell) for cell in row[:4]] == [float(cell) for cell in original[:4]] and row[4] == original[4]
    learner = cw.C45Classifier().fit(cw.read(iris_csv))
    table = cw.read(iris_csv)
    assert [row[5] for row in rows] == learner.predict(table).tolist()
    assert np.allclose([[float(cell) for cell in row[6:]] for row in rows], learner.predict_proba(table), rtol=1e-15)


@pytest.mark.parametrize("to", [[], ["-o", "-"]])
def test_the_standard_output_serves_as_well(clearwood, iris_csv, tree_json, to):
    answer = clearwood("predict", tree_json, iris_csv, *to)
    assert answer.err == "" and len(read_rows(answer.out)[1]) == 150


def test_the_number_of_threads_does_not_matter(clearwood, iris_csv, tree_json):
    one, many = (clearwood("predict", tree_json, iris_csv, "--jobs", jobs).out for jobs in (1, 16))
    assert one == many and one == clearwood("predict", tree_json, iris_csv).out


def test_no_class_is_needed_and_columns_may_be_reordered(clearwood, tree_json, tmp_path):
    data = tmp_path / "new.csv"
    data.write_text("petal width,petal length,sepal width,sepal length\n0.2,1.4,3.5,5.1\n2.3,6.0,3.0,7.0\n")
    document = clearwood("predict", tree_json, data, "--json").document
    assert document["predicted"] == ["setosa", "virginica"]
    assert np.allclose(np.sum(document["probabilities"], axis=1), 1)


def test_missing_cells_stay_as_they_are_and_share_the_row_out(clearwood, tree_json, tmp_path):
    data = tmp_path / "holed.csv"
    data.write_text("sepal length,sepal width,petal length,petal width\n5.1,,1.4,?\n5.1,3.5,1.4,0.2\n")
    _, rows = read_rows(clearwood("predict", tree_json, data).out)
    assert (rows[0][1], rows[0][3]) == ("", "?")
    probabilities = np.array([[float(cell) for cell in row[-3:]] for row in rows])
    assert (probabilities[0] > 0).all() and probabilities[1].tolist() == [1, 0, 0]


def test_types_come_from_the_tree_not_from_the_new_file(clearwood, tmp_path):
    """A column of digits that was read as categories must not be read as numbers the next time."""
    data, tree = tmp_path / "codes.csv", tmp_path / "tree.json"
    rows = [f"{code},{'ab'[code in (2, 5)]}" for code in range(1, 7)] * 4
    data.write_text("code,y\n" + "\n".join(rows) + "\n")
    assert clearwood("fit", data, "--nominal", "code", "--save", tree, "--quiet").status == 0
    new = tmp_path / "new.csv"
    new.write_text("code\n5\n4\n7\n")
    answer = clearwood("predict", tree, new, "--json")
    assert answer.status == 0 and answer.document["predicted"][:2] == ["b", "a"]


def test_a_column_of_that_name_is_kept(clearwood, iris_csv, tree_json, tmp_path):
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    clearwood("predict", tree_json, iris_csv, "-o", first)
    clearwood("predict", tree_json, first, "-o", second)
    head, rows = read_rows(second.read_text(encoding="utf-8"))
    assert len(set(head)) == len(head) == 13
    assert all(row[head.index("predicted")] == row[head.index("predicted_2")] for row in rows)


def test_lacking_columns_are_named(clearwood, tree_json, tmp_path):
    data = tmp_path / "thin.csv"
    data.write_text("sepal length,sepal width\n5.1,3.5\n")
    answer = clearwood("predict", tree_json, data)
    assert answer.status == 2
    assert "lacks 2 of the tree's columns: 'petal length', 'petal width'" in answer.err


def test_words_in_a_numeric_column_are_refused(clearwood, tree_json, tmp_path):
    data = tmp_path / "words.csv"
    data.write_text("sepal length,sepal width,petal length,petal width\n5.1,3.5,long,0.2\n5.1,3.5,short,0.2\n")
    answer = clearwood("predict", tree_json, data)
    assert answer.status == 2 and "petal length" in answer.err and answer.err.count("\n") == 1


def test_a_missing_category_stays_as_it_is(clearwood, tmp_path):
    data, tree, new = tmp_path / "sky.csv", tmp_path / "tree.json", tmp_path / "new.csv"
    data.write_text("sky,y\n" + "sun,go\nrain,stay\n" * 5)
    new.write_text("sky\nrain\n?\nsun\n")
    assert clearwood("fit", data, "--save", tree, "--quiet").status == 0
    _, rows = read_rows(clearwood("predict", tree, new).out)
    assert [row[0] for row in rows] == ["rain", "?", "sun"]


@pytest.fixture
def sky_tree(clearwood, tmp_path):
    data, tree = tmp_path / "sky.csv", tmp_path / "sky.json"
    data.write_text("wind,sky,y\n" + "1,sun,go\n1,rain,stay\n2,sun,go\n2,rain,stay\n" * 5)
    assert clearwood("fit", data, "--save", tree, "--quiet").status == 0
    return tree


def test_unknown_values_are_said_on_the_standard_error_and_in_json(clearwood, sky_tree, tmp_path):
    new = tmp_path / "new.csv"
    new.write_text("sky\nsun\nhail\nrain\nrain\n")
    answer = clearwood("predict", sky_tree, new)
    assert answer.status == 0 and answer.err.count("\n") == 1
    assert "warning: column 'sky': 1 of 4 rows hold a value that the tree does not know: 'hail'" in answer.err
    assert clearwood("predict", sky_tree, new, "-q").err == ""
    document = clearwood("predict", sky_tree, new, "--json").document
    assert document["unknown"] == [{"column": "sky", "rows": 1, "values": {"hail": 1}}]


def test_a_column_of_unknown_values_is_refused_unless_allowed(clearwood, sky_tree, tmp_path):
    new = tmp_path / "new.csv"
    new.write_text("sky\nSun\nRain\nRain\n")
    answer = clearwood("predict", sky_tree, new)
    assert answer.status == 2 and answer.out == ""
    assert "the nearest that it knows: 'rain', 'sun'" in answer.err and "--allow-unknown" in answer.err
    answer = clearwood("predict", sky_tree, new, "--allow-unknown")
    assert answer.status == 0 and len(read_rows(answer.out)[1]) == 3


def test_only_tested_columns_are_needed(clearwood, sky_tree, tmp_path):
    new = tmp_path / "new.csv"
    new.write_text("extra,wind,sky\nx,strong,sun\ny,weak,rain\n")
    answer = clearwood("predict", sky_tree, new, "--json")
    assert answer.status == 0 and answer.document["predicted"] == ["go", "stay"]


def test_classes_of_truth_values_are_spelled_as_everywhere(clearwood, tmp_path):
    tree, new = tmp_path / "tree.json", tmp_path / "new.csv"
    clf = cw.C45Classifier().fit(np.arange(20.0)[:, None], np.arange(20) > 9)
    tree.write_text(clf.tree_.to_json())
    new.write_text("x0\n3\n15\n")
    _, rows = read_rows(clearwood("predict", tree, new).out)
    assert [row[1] for row in rows] == ["false", "true"]


@pytest.mark.parametrize("ending", [".parquet", ".arrow", ".feather", ".jsonl", ".csv"])
def test_rows_are_written_in_the_form_that_the_ending_says(clearwood, tmp_path, ending):
    data, tree, out = tmp_path / "t.csv", tmp_path / "tree.json", tmp_path / f"out{ending}"
    data.write_text("day,sky,n,y\n" + "2020-01-01,sun,1,a\n2020-01-02,rain,,b\n2020-02-01,?,3,a\n" * 6)
    assert clearwood("fit", data, "--save", tree, "-q").status == 0
    answer = clearwood("predict", tree, data, "-o", out)
    assert answer.status == 0 and answer.err == f"18 rows written to {out}\n"
    again = cw.read(out, target=False, nominal="predicted")
    assert again.feature_names[:5] == ("day", "sky", "n", "y", "predicted")
    assert again.columns[0].is_date and again.columns[1].values == ("rain", "sun")
    expected = cw.Tree.from_json(tree.read_text()).predict_proba(cw.read(data))
    np.testing.assert_allclose(again.column("probability_a"), expected[:, 0])
    np.testing.assert_array_equal(again.column("n")[:3], [1, np.nan, 3])


def test_other_endings_and_the_input_itself_are_refused(clearwood, iris_csv, tree_json, tmp_path):
    for out in ("x.xlsx", "x.json", "x.csv.gz"):
        answer = clearwood("predict", tree_json, iris_csv, "-o", tmp_path / out)
        assert answer.status == 2 and "rows are written as .csv" in answer.err
    before = iris_csv.read_bytes()
    answer = clearwood("predict", tree_json, iris_csv, "-o", iris_csv)
    assert answer.status == 2 and "is the file that is read" in answer.err and iris_csv.read_bytes() == before


def test_rows_may_come_from_the_standard_input(clearwood, iris_csv, tree_json, monkeypatch):
    import io
    import sys

    expected = clearwood("predict", tree_json, iris_csv).out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(iris_csv.read_bytes())))
    answer = clearwood("predict", tree_json, "-")
    assert answer.status == 0 and answer.out == expected


def test_values_that_the_tree_knows_are_neither_missing_nor_dates(clearwood, tmp_path):
    """NA is a land to this tree, and a day a word; in numbers beside them NA still means missing."""
    data, tree = tmp_path / "land.arff", tmp_path / "tree.json"
    head = "@relation r\n@attribute land {NA,DE}\n@attribute day {2020-01-01,never}\n@attribute x numeric\n"
    rows = "NA,2020-01-01,1,p\n" * 20 + "NA,never,2,q\n" * 20 + "DE,2020-01-01,3,r\n" * 20
    data.write_text(f"{head}@attribute y {{p,q,r}}\n@data\n{rows}")
    tree.write_text(cw.C45Classifier(binary_splits=True).fit(cw.read(data).select(["land", "day"])).tree_.to_json())
    new = tmp_path / "new.csv"
    new.write_text("x,day,land\nNA,2020-01-01,NA\n1,2020-01-01,DE\n2,2020-01-01,?\n")
    answer = clearwood("predict", tree, new, "--json")
    assert answer.document["predicted"][:2] == ["p", "r"] and answer.err == ""


@pytest.fixture
def step_tree(tmp_path):
    """A tree that says low or high of the number x."""
    clf = cw.C45Classifier().fit(cw.read({"x": [*range(20)] * 2, "y": (["low"] * 10 + ["high"] * 10) * 2}))
    (tmp_path / "step.json").write_text(clf.tree_.to_json())
    return tmp_path / "step.json"


OWN = [
    ["000123", "12345678901234567", "TRUE", "31/08/2020", "1,5", "1.50", "  a b ", 'say "so"', "3"],
    ["000124", "12345678901234568", "FALSE", "30/08/2020", "2,5", "NA", "", "two\nlines", " 15 "],
    ["000125", "12345678901234569", "true", "", "-", "0.1", "é", ";,|", "?"],
]
OWN_NAMES = ["account", "iban_no", "member", "since", "rate", "price", "note", "quotes", "x"]


@pytest.fixture
def own_csv(tmp_path):
    with (tmp_path / "own.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([OWN_NAMES, *OWN])
    return tmp_path / "own.csv"


def test_the_cells_of_a_text_file_are_written_as_they_stand_and_nothing_is_said_of_untested_ones(
    clearwood, step_tree, own_csv, tmp_path
):
    out = tmp_path / "scored.csv"
    answer = clearwood("predict", step_tree, own_csv, "-o", out)
    assert answer.status == 0 and answer.err == f"3 rows written to {out}\n"
    with out.open(newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    assert head[:10] == [*OWN_NAMES, "predicted"] and [row[:9] for row in rows] == OWN
    assert [row[9] for row in rows[:2]] == ["low", "high"]


@pytest.mark.parametrize("ending", [".parquet", ".jsonl"])
def test_files_with_types_get_numbers_only_where_no_digit_is_lost(clearwood, step_tree, tmp_path, ending):
    data, out = tmp_path / "t.csv", tmp_path / f"out{ending}"
    data.write_text(
        "code,long,n,share,flag,x\n007,12345678901234567,5,0.5,TRUE,3\n008,12345678901234568,?,1,FALSE,15\n"
    )
    assert clearwood("predict", step_tree, data, "-o", out).status == 0
    if ending == ".parquet":
        import pyarrow.parquet as pq

        rows = pq.read_table(out).to_pylist()
    else:
        import json

        rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["code"] for row in rows] == ["007", "008"] and [row["n"] for row in rows] == [5, None]
    assert [row["long"] for row in rows] == [12345678901234567, 12345678901234568]
    assert [row["share"] for row in rows] == [0.5, 1] and [row["flag"] for row in rows] == ["TRUE", "FALSE"]
    assert [row["x"] for row in rows] == [3, 15]


def test_typed_sources_keep_their_values(clearwood, step_tree, tmp_path):
    import sqlite3
    from decimal import Decimal

    import pyarrow as pa
    import pyarrow.parquet as pq

    frame = pa.table(
        {
            "id": pa.array([2**60 + 1, 2**60 + 2]),
            "paid": pa.array([Decimal("0.10"), None]),
            "at": pa.array([0, 1], pa.timestamp("ns")),
            "tags": pa.array([["a"], []]),
            "x": pa.array([3.0, 15.0]),
        }
    )
    data, out = tmp_path / "t.parquet", tmp_path / "out.parquet"
    pq.write_table(frame, data)
    assert clearwood("predict", step_tree, data, "-o", out).status == 0
    assert pq.read_table(out).select(frame.column_names).equals(frame)
    _, rows = read_rows(clearwood("predict", step_tree, data).out)
    assert rows[0][:2] == [str(2**60 + 1), "0.10"] and rows[1][:2] == [str(2**60 + 2), ""]
    with sqlite3.connect(tmp_path / "t.db") as base:
        base.execute("create table t (id integer, code text, x real)")
        base.executemany("insert into t values (?, ?, ?)", [(2**60 + 1, "007", 3), (2**60 + 2, " 8", 15)])
    base.close()
    answer = clearwood("predict", step_tree, f"sqlite:///{tmp_path / 't.db'}", "--query", "select * from t")
    _, rows = read_rows(answer.out)
    assert [row[:2] for row in rows] == [[str(2**60 + 1), "007"], [str(2**60 + 2), " 8"]]
    assert [row[3] for row in rows] == ["low", "high"]


def test_arff_json_and_excel_come_back_as_they_are(clearwood, step_tree, tmp_path):
    import pandas as pd

    (tmp_path / "t.arff").write_text("@relation t\n@attribute n string\n@attribute x real\n@data\n'a b',03.0\n?, 15\n")
    (tmp_path / "t.jsonl").write_text('{"n": "007", "x": 3}\n{"x": 15, "n": 12345678901234567890}\n')
    pd.DataFrame({"n": ["007", 8], "x": [3, 15]}).to_excel(tmp_path / "t.xlsx", index=False)
    expected = {"t.arff": [["a b", "03.0"], ["?", "15"]], "t.xlsx": [["007", "3"], ["8", "15"]]}
    expected["t.jsonl"] = [["007", "3"], ["12345678901234567890", "15"]]
    for name, cells in expected.items():
        _, rows = read_rows(clearwood("predict", step_tree, tmp_path / name).out)
        assert [row[:2] for row in rows] == cells and [row[2] for row in rows] == ["low", "high"]


def test_a_tree_of_one_leaf_scores_every_row(clearwood, own_csv, tmp_path):
    tree = cw.C45Classifier().fit(cw.read({"x": [1, 1, 1], "y": ["a", "a", "b"]})).tree_
    (tmp_path / "leaf.json").write_text(tree.to_json())
    _, rows = read_rows(clearwood("predict", tmp_path / "leaf.json", own_csv).out.replace("two\nlines", ""))
    assert [row[9] for row in rows] == ["a"] * 3


def test_a_table_without_a_source_is_written_by_its_values():
    table = cw.read(
        {"sky": ["sun", None, "rain"], "n": [1.0, 2.5, None], "day": ["2020-01-01", None, "2020-01-02"]}, False
    )
    own = rows_of(table)
    assert own.names == ["sky", "n", "day"] and own.columns[0] == ["sun", None, "rain"]
    assert own.columns[1:] == [[1, 2.5, None], ["2020-01-01", None, "2020-01-02"]]


def test_a_tree_of_dates_in_a_stated_order_scores_its_own_file(clearwood, tmp_path):
    data, tree = tmp_path / "t.csv", tmp_path / "tree.json"
    data.write_text("since,y\n" + "".join(f"{i:02}/06/2020,{'ab'[i > 6]}\n" for i in range(1, 13)) * 2)
    assert clearwood("fit", data, "--dates", "DMY", "--save", tree, "-q").status == 0
    answer = clearwood("predict", tree, data)
    assert answer.status == 2 and "--dates" in answer.err
    answer = clearwood("predict", tree, data, "--dates", "DMY")
    assert answer.status == 0 and answer.err == ""
    _, rows = read_rows(answer.out)
    assert [row[:3] for row in rows] == [[f"{i:02}/06/2020", "ab"[i > 6], "ab"[i > 6]] for i in range(1, 13)] * 2


def test_reading_options_are_checked_and_obeyed(clearwood, step_tree, own_csv):
    answer = clearwood("predict", step_tree, own_csv, "--nominal", "acount")
    assert answer.status == 2 and "--nominal names 'acount'" in answer.err and "account" in answer.err
    answer = clearwood("predict", step_tree, own_csv, "--nominal", "account", "--ignore", "note", "--numeric", "x")
    assert answer.status == 0 and "note" not in answer.out.splitlines()[0]
    answer = clearwood("predict", step_tree, own_csv, "--ignore", "x")
    assert answer.status == 2 and "lacks 1 of the tree's columns: 'x'" in answer.err


def test_messages_name_no_option_that_was_not_typed(clearwood, step_tree, tmp_path):
    data = tmp_path / "t.csv"
    data.write_text("x\nmany\nmany\n")
    answer = clearwood("predict", step_tree, data)
    assert answer.status == 2 and "the tree knows 'x' as numbers, but row 1 holds 'many'" in answer.err
    assert "--numeric" not in answer.err and "--nominal" not in answer.err
    assert clearwood("predict", step_tree, data, "--missing", "many").status == 0


@pytest.fixture
def german_tree(clearwood, tmp_path):
    data, tree = tmp_path / "german.csv", tmp_path / "german.json"
    rows = [f"{i // 1000}.{i % 1000:03};{i % 7},5;{'ab'[i > 4000]}" for i in range(1500, 9500, 250)]
    data.write_text("income;rate;y\n" + "\n".join(rows) + "\n")
    assert clearwood("fit", data, "--save", tree, "-q").status == 0
    return tree


@pytest.mark.parametrize(
    ("cells", "options"), [(["8.000;3,5", "900;2,25"], []), (["8.000;3", "900;2"], ["--decimal", ","])]
)
def test_points_between_thousands_are_known_by_another_column_or_stated(
    clearwood, german_tree, tmp_path, cells, options
):
    new = tmp_path / "new.csv"
    new.write_text("\n".join(["income;rate", *cells]) + "\n")
    answer = clearwood("predict", german_tree, new, "--json", *options)
    assert answer.document["predicted"] == ["b", "a"] and "thousands ." in answer.err


def test_points_that_may_stand_between_thousands_are_said(clearwood, german_tree, step_tree, tmp_path):
    new = tmp_path / "new.csv"
    new.write_text("income\n8.000\n2.500\n")
    answer = clearwood("predict", german_tree, new)
    assert (
        "column 'income': '8.000' is read as 8; if points stand between thousands there, state --decimal ,"
        in answer.err
    )
    new.write_text("x\n8.125\n2.500\n")
    assert clearwood("predict", step_tree, new).err == ""


def test_numbers_with_a_unit_are_scored_as_numbers(clearwood, step_tree, tmp_path):
    new = tmp_path / "new.csv"
    for cells in ("3%\n15%\n", "$3\n$15.5\n", "3%\n15\n"):
        new.write_text("x\n" + cells)
        answer = clearwood("predict", step_tree, new)
        _, rows = read_rows(answer.out)
        assert [row[0] for row in rows] == cells.split() and [row[1] for row in rows] == ["low", "high"]
