"""Truth values are the same values wherever they come from: fitted from any source, a tree predicts any other."""

import sqlite3

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import clearwood as cw
from clearwood.booleans import are_booleans, spellings

ALONE = [True, False, False, True, True, False, None, True] * 3
LATE = [True, True, False, False, True, False, False, True] * 3
GONE = ["yes" if alone else "no" for alone in ALONE]


def frame() -> pd.DataFrame:
    return pd.DataFrame(
        {"alone": pd.array(ALONE, dtype="boolean"), "late": LATE, "gone": GONE}, columns=["alone", "late", "gone"]
    )


def in_words(false: str, true: str) -> pd.DataFrame:
    def words(cells):
        return [None if cell is None else (false, true)[cell] for cell in cells]

    return pd.DataFrame({"alone": words(ALONE), "late": words(LATE), "gone": GONE})


def csv(folder, name, words):
    in_words(*words).to_csv(folder / name, index=False)
    return cw.read(folder / name)


def parquet(folder):
    frame().to_parquet(folder / "t.parquet")
    return cw.read(folder / "t.parquet")


def json(folder):
    frame().to_json(folder / "t.json", orient="records")
    return cw.read(folder / "t.json")


def sqlite(folder):
    with sqlite3.connect(folder / "t.db") as database:
        frame().astype({"alone": object}).to_sql("t", database, index=False)
    return cw.read(f"sqlite:///{folder / 't.db'}", query="select * from t")


def arff(folder):
    head = (
        "@relation t\n@attribute alone {TRUE, FALSE}\n@attribute late {True, False}\n@attribute gone {no, yes}\n@data\n"
    )
    rows = in_words("FALSE", "TRUE").assign(late=[str(cell) for cell in LATE]).fillna("?")
    (folder / "t.arff").write_text(head + "\n".join(",".join(row) for row in rows.to_numpy()) + "\n")
    return cw.read(folder / "t.arff")


SOURCES = {
    "pandas": lambda folder: cw.read(frame()),
    "pandas objects": lambda folder: cw.read(frame().astype({"alone": object, "late": object})),
    "pandas text": lambda folder: cw.read(in_words("False", "True")),
    "pandas categories": lambda folder: cw.read(in_words("FALSE", "TRUE").astype("category")),
    "polars": lambda folder: cw.read(pl.DataFrame({"alone": ALONE, "late": LATE, "gone": GONE})),
    "arrow": lambda folder: cw.read(pa.table({"alone": ALONE, "late": LATE, "gone": GONE})),
    "csv of Python": lambda folder: csv(folder, "python.csv", ("False", "True")),
    "csv of R": lambda folder: csv(folder, "r.csv", ("FALSE", "TRUE")),
    "csv of JavaScript": lambda folder: csv(folder, "js.csv", ("false", "true")),
    "parquet": parquet,
    "json": json,
    "arff": arff,
}
ONLY_TO_PREDICT = {
    "csv of numbers": lambda folder: csv(folder, "numbers.csv", ("0", "1")),
    "csv of PostgreSQL": lambda folder: csv(folder, "pg.csv", ("f", "t")),
    "sqlite": sqlite,
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("booleans")
    return {name: make(folder) for name, make in (SOURCES | ONLY_TO_PREDICT).items()}


def learned(table):
    return cw.C45Classifier(prune=False, min_leaf=1, collapse=False).fit(table).tree_


@pytest.mark.parametrize("fitted", SOURCES)
def test_a_tree_from_one_source_predicts_every_other(tables, fitted):
    tree = learned(tables[fitted])
    own = tree.predict_proba(tables[fitted])
    assert "alone" in tree.features and np.ptp(own[:, 0]) > 0.5
    for name, table in tables.items():
        np.testing.assert_array_equal(tree.predict_proba(table), own, err_msg=name)


@pytest.mark.parametrize("name", [name for name in SOURCES if name not in ("arff", "pandas categories")])
def test_what_is_not_declared_is_read_as_false_and_true(tables, name):
    assert [column.values for column in tables[name].columns] == [("false", "true")] * 2


@pytest.mark.parametrize("name", SOURCES)
def test_estimators_take_frames_of_either_kind(tables, name):
    clf = cw.C45Classifier().fit(tables[name])
    for other in (frame(), in_words("False", "True"), in_words("FALSE", "TRUE")):
        assert clf.predict(other.drop(columns="gone")).tolist() == clf.predict(tables[name]).tolist()


@pytest.mark.parametrize("values", [("False", "True"), ("TRUE", "FALSE")])
def test_trees_saved_in_another_spelling_load_and_match(tables, values):
    text = learned(tables["pandas"]).to_json().replace('["false", "true"]', f'["{values[0]}", "{values[1]}"]')
    old = cw.Tree.from_json(text)
    assert old.columns[0].values == values
    for name in ("pandas", "csv of Python", "parquet", "sqlite"):
        probability = old.predict_proba(tables[name])
        np.testing.assert_array_equal(probability, old.predict_proba(tables["pandas"]), err_msg=name)
        assert np.ptp(probability[:, 0]) > 0.5


def test_numbers_of_a_tree_are_met_by_truth_values(tables):
    tree = learned(cw.read(frame().astype({"alone": float, "late": float})))
    assert not tree.columns[0].is_nominal
    expected = tree.predict_proba(tables["csv of numbers"])
    for name in ("pandas", "csv of Python", "arff"):
        np.testing.assert_array_equal(tree.predict_proba(tables[name]), expected, err_msg=name)


def test_only_truth_values_are_converted():
    tree = learned(cw.read(frame()))
    with pytest.raises(ValueError, match="'alone' is numeric in the table but nominal in the tree"):
        tree.predict(cw.read(frame().assign(alone=np.arange(24)), target="gone"))


def test_a_target_of_truth_values_is_spelled_alike(tmp_path):
    rows = pd.DataFrame({"age": np.arange(20.0), "ill": np.arange(20) > 9})
    rows.to_csv(tmp_path / "t.csv", index=False)
    assert cw.read(tmp_path / "t.csv").classes == cw.read(rows).classes == ("false", "true")


def test_beside_other_values_truth_values_match_in_the_usual_spellings():
    three = pd.DataFrame({"answer": [True, False, "unsure"] * 8, "y": list("abc") * 8})
    with pytest.warns(UserWarning, match="mixes types"):
        tree = learned(cw.read(three))
    told = pd.DataFrame({"answer": ["True", "FALSE", "false", "unsure", "Unsure"]})
    probability = tree.predict_proba(cw.read(told, target=False))
    assert [tree.classes[code] for code in probability.argmax(axis=1)[:4]] == list("abbc")
    assert probability[4].max() < 0.5


def test_two_spellings_that_are_declared_side_by_side_stay_apart():
    assert spellings(("True", "true", "false")) == (False, [("True",), ("true",), ("false", "False", "FALSE")])
    assert not are_booleans(("t", "f"))
