"""``clearwood compare``: arguments, output, files, going on."""

import json
import sqlite3

import pytest

import clearwood as cw


@pytest.fixture
def wine_csv(tmp_path):
    from sklearn.datasets import load_wine

    data = load_wine()
    lines = [",".join([*(f"x{i}" for i in range(13)), "kind"])]
    lines += [
        ",".join([*map(repr, row), f"w{code}"]) for row, code in zip(data.data.tolist(), data.target, strict=True)
    ]
    path = tmp_path / "wine.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


QUICK = ["--cv", "3", "--repeats", "1", "--quiet"]


def test_several_tables_may_follow_one_option(clearwood, iris_csv, wine_csv):
    one = clearwood("compare", "c45", "cart", "--data", iris_csv, wine_csv, *QUICK, "--json")
    two = clearwood("compare", "c45", "cart", "-d", iris_csv, *QUICK, "--data", wine_csv, "--json")
    assert (one.status, one.err, one.out.count("\n")) == (0, "", 1)
    assert one.document["data"] == ["iris", "wine"]
    wanted = [(cell["data"], cell["learner"], cell["accuracy"]) for cell in one.document["results"]]
    assert wanted == [(cell["data"], cell["learner"], cell["accuracy"]) for cell in two.document["results"]]


def test_learners_and_tables_may_be_named_as_in_other_commands(clearwood, iris_csv):
    first = clearwood("compare", "c45", "cart", "--data", iris_csv, *QUICK, "--json").document["results"]
    for words in (("c45", "cart", iris_csv), (iris_csv, "--learner", "c45", "-l", "cart")):
        answer = clearwood("compare", *words, *QUICK, "--json")
        assert [cell["accuracy"] for cell in answer.document["results"]] == [cell["accuracy"] for cell in first]


@pytest.mark.parametrize(("words", "missing"), [(["c45"], "table ('--data')"), ([], "learner (LEARNER)")])
def test_what_is_not_named_is_asked_for(clearwood, words, missing):
    answer = clearwood("compare", *words)
    assert answer.status == 2 and f"no {missing} is named, as in: clearwood compare c45 cart" in answer.err


def test_json_holds_what_the_library_finds(clearwood, iris_csv):
    answer = clearwood("compare", "c45:min_leaf=5", "--data", iris_csv, "--seed", "3", *QUICK, "--json")
    found = cw.compare({"c45:min_leaf=5": cw.C45Classifier(min_leaf=5)}, [str(iris_csv)], cv=3, repeats=1, seed=3)
    assert answer.document["results"][0]["accuracy"] == found.summary("accuracy")["iris", "c45:min_leaf=5"].mean
    assert "--seed 3" in answer.document["command"]


def test_the_text_and_the_files(clearwood, iris_csv, tmp_path):
    out = tmp_path / "new" / "results"
    answer = clearwood(
        "compare",
        "c45",
        "sklearn.tree:DecisionTreeClassifier",
        "--data",
        iris_csv,
        "--cv",
        "3",
        "--repeats",
        "1",
        "-o",
        out,
    )
    assert answer.status == 0
    assert "2 learners on 1 data set" in answer.out and "written to" in answer.err
    assert {file.name for file in out.iterdir()} >= {"report.html", "units.csv", "results.sqlite"}
    page = (out / "report.html").read_text(encoding="utf-8")
    assert f"clearwood compare c45 sklearn.tree:DecisionTreeClassifier --data {iris_csv}" in page
    assert '<a href="trees-iris.html">The page of iris</a>' in page
    assert "<details open><summary>iris: " in page and "tree for species (iris): " in page
    assert "clearwood-document" in (out / "trees-iris.html").read_text(encoding="utf-8")


def test_the_same_command_does_nothing_twice(clearwood, iris_csv, tmp_path):
    command = ["compare", "c45", "--data", iris_csv, *QUICK, "--store", tmp_path / "s.sqlite", "--json"]
    one = clearwood(*command)
    times = _finished(tmp_path / "s.sqlite")
    two = clearwood(*command)
    assert one.out == two.out
    assert len(times) == 3 and _finished(tmp_path / "s.sqlite") == times


def _finished(store):
    return sqlite3.connect(store).execute("SELECT fold, finished FROM result ORDER BY fold").fetchall()


def test_the_reference_and_the_level_can_be_chosen(clearwood, iris_csv):
    answer = clearwood(
        "compare", "c45", "cart", "--data", iris_csv, *QUICK, "--reference", "cart", "--level", "0.1", "--json"
    )
    assert (answer.document["reference"], answer.document["level"]) == ("cart", 0.1)


def test_the_class_can_be_named(clearwood, iris_csv):
    answer = clearwood("compare", "c45", "--data", iris_csv, "--target", "species", *QUICK, "--json")
    assert answer.document["data"] == ["iris"]


def test_a_learner_that_fails_does_not_stop_the_others(clearwood, iris_csv):
    answer = clearwood("compare", "c45", "sklearn.naive_bayes:CategoricalNB:alpha=-1", "--data", iris_csv, *QUICK)
    assert answer.status == 1
    assert "3 units failed" in answer.out
    assert answer.err == "clearwood: 3 of 6 units failed: 3 of 3 of sklearn.naive_bayes:CategoricalNB:alpha=-1.\n"


@pytest.fixture
def words_csv(tmp_path):
    """A table that OC1, which wants numbers, refuses."""
    path = tmp_path / "words.csv"
    path.write_text("sky,y\n" + "".join(f"{'abc'[i % 3]},{'no' if i % 3 else 'yes'}\n" for i in range(60)))
    return path


@pytest.mark.parametrize("how", [[], ["--json"]])
def test_where_every_unit_failed_the_status_says_so(clearwood, words_csv, tmp_path, how):
    answer = clearwood("compare", "oc1", "--data", words_csv, *QUICK, *how, "--out", tmp_path / "out")
    assert answer.status == 1 and "clearwood: all of 3 units failed: 3 of 3 of oc1.\n" in answer.err
    assert answer.document["failures"] if "--json" in how else "3 units failed" in answer.out
    assert "Failed units" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_the_report_has_the_learners_that_worked(clearwood, words_csv, tmp_path):
    answer = clearwood("compare", "c45", "oc1", "--data", words_csv, *QUICK, "--out", tmp_path / "out")
    assert answer.status == 1 and "3 of 6 units failed: 3 of 3 of oc1" in answer.err
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "tree for y (words): " in page and '<a href="trees-words.html">' in page


def test_a_learner_that_fails_with_all_rows_only_leaves_the_others(clearwood, words_csv, tmp_path, monkeypatch):
    fit = cw.CARTClassifier.fit
    monkeypatch.setattr(cw.CARTClassifier, "fit", lambda self, table: fit(self, table) if table.n_rows < 60 else 1 / 0)
    words = ["compare", "c45", "cart", "--data", words_csv, "--cv", "3", "--repeats", "1", "--out", tmp_path / "out"]
    answer = clearwood(*words, "--backend", "sequential")
    assert answer.status == 0 and "warning: cart has no tree of all rows of words: division by zero" in answer.err
    assert "tree for y (words): " in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["c45"], "'--data'"),
        (["--data", "DATA"], "LEARNER"),
        (["c54", "--data", "DATA"], "no learner 'c54'; did you mean 'c45'?"),
        (["c45", "c45", "--data", "DATA"], "'c45' twice"),
        (["c45:confidense=1", "--data", "DATA"], "did you mean 'confidence'?"),
        (["sklearn.tree:DecisonTreeClassifier", "--data", "DATA"], "did you mean 'DecisionTreeClassifier'?"),
        (["c45", "--data", "nothere.csv"], "nothere.csv"),
        (["c45", "--data", "DATA", "--target", "specie"], "did you mean 'species'?"),
        (["c45", "--data", "DATA", "--cv", "1"], "cv must be a whole number of at least 2, got 1"),
        (["c45", "--data", "DATA", "--level", "5"], "level must be a number between 0 and 1"),
        (["c45", "--data", "DATA", "--reference", "cart"], "reference must be one of 'c45', got 'cart'"),
        (["c45", "--data", "DATA", "--backend", "threds"], "did you mean 'threads'?"),
        (["c45", "--data", "DATA", "--address", "tcp://x:1"], "address is for the backends dask and ray"),
        (["c45", "--data", "DATA", "--store", "."], "."),
        (["c45", "--data", "DATA", "--time-limit", "0"], "time_limit must be a number of seconds above 0"),
    ],
)
def test_a_mistake_gets_status_2_and_one_line(clearwood, iris_csv, arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = clearwood("compare", *(iris_csv if argument == "DATA" else argument for argument in arguments))
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert answer.err.startswith("clearwood: ") and message in answer.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["report.html", "units.csv"])
def test_the_store_is_no_part_of_the_report(clearwood, iris_csv, tmp_path, name):
    answer = clearwood("compare", "c45", "--data", iris_csv, "--out", tmp_path, "--store", tmp_path / name)
    assert answer.status == 2 and f"--store and --out ({name}) both write" in answer.err


def test_a_folder_that_is_a_file_is_refused_before_the_work(clearwood, iris_csv):
    answer = clearwood("compare", "c45", "--data", iris_csv, "--out", iris_csv)
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "iris.csv" in answer.err


def test_the_json_is_one_document(clearwood, iris_csv):
    out = clearwood("compare", "c45", "--data", iris_csv, *QUICK, "--json").out
    assert json.loads(out)["failures"] == []


def test_the_reading_options_of_fit(clearwood, tmp_path):
    data = tmp_path / "t.csv"
    data.write_text("id;x;grade;y\n" + "".join(f"i{i};{i % 7},5;{i % 2};{'ab'[i % 7 > 3]}\n" for i in range(60)))
    options = ["--ignore", "id", "--decimal", ",", "--nominal", "grade", "--target", "y", "--cv", "3", "--repeats", "1"]
    answer = clearwood("compare", "c45", "cart", "--data", data, *options, "--json")
    assert answer.status == 0 and answer.err == ""
    assert {result["features"] for result in answer.document["results"]} == {1.0}
