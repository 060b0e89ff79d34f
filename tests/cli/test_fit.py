import os
import signal
import threading

import numpy as np
import pytest

import clearwood as cw


def test_it_saves_the_tree_that_the_library_grows(clearwood, iris_csv, tmp_path):
    saved = tmp_path / "tree.json"
    answer = clearwood("fit", iris_csv, "--target", "species", "--option", "min_leaf=10", "--save", saved)
    tree = cw.C45Classifier(min_leaf=10).fit(cw.read(iris_csv, target="species")).tree_
    assert answer.status == 0
    assert cw.Tree.from_json(saved.read_text(encoding="utf-8")) == tree
    assert answer.out.startswith(f"{tree}\n\nAccuracy 9") and "most frequent class would get 33.3 %" in answer.out
    assert clearwood("fit", iris_csv, "--option", "min_leaf=10", "--no-check").out == f"{tree}\n"
    assert answer.err == f"saved to {saved}\n"


@pytest.mark.parametrize("learner", ["id3", "c45", "cart"])
def test_every_learner_prints_a_tree(clearwood, iris_csv, learner):
    answer = clearwood("fit", iris_csv, "--learner", learner)
    assert answer.status == 0 and "petal" in answer.out and answer.err == ""


def test_json_is_one_document_and_nothing_else(clearwood, iris_csv, tmp_path):
    answer = clearwood("fit", iris_csv, "--json", "--save", tmp_path / "tree.json")
    document = answer.document
    assert (answer.out.count("\n"), answer.err) == (1, "")
    assert document["rows"] == 150 and document["leaves"] == 5 and "petal width" in document["features"]
    import json

    assert cw.Tree.from_json(json.dumps(document["tree"])).n_leaves == document["leaves"]


def test_quiet_prints_the_result_only_as_its_help_says(clearwood, iris_csv, tmp_path):
    answer = clearwood("fit", iris_csv, "--quiet", "--save", tmp_path / "tree.json", "--no-check")
    tree = cw.Tree.from_json((tmp_path / "tree.json").read_text(encoding="utf-8"))
    assert (answer.status, answer.out, answer.err) == (0, f"{tree}\n", "")


def test_the_accuracy_is_that_of_evaluate(clearwood, iris_csv):
    from clearwood.evaluate import evaluate

    document = clearwood("fit", iris_csv, "--seed", "3", "--json").document
    found = evaluate(cw.C45Classifier(random_state=3), cw.read(iris_csv), 10, 1, 3)
    assert document["accuracy"] == found.interval.mean and document["majority"] == pytest.approx(1 / 3)


def test_a_large_tree_comes_with_a_way_to_a_smaller_one(clearwood, tmp_path):
    rng = np.random.default_rng(0)
    data = tmp_path / "noise.csv"
    rows = [f"{a:.4f},{b:.4f},{'xyz'[int(rng.integers(3))]}" for a, b in rng.random((400, 2))]
    data.write_text("a,b,c\n" + "\n".join(rows) + "\n", encoding="utf-8")
    answer = clearwood("fit", data, "--option", "prune=false", "--option", "mdl_correction=false")
    assert "leaves are many to read. For a smaller tree: --option max_leaves=10, or --option min_leaf=25" in answer.out
    small = clearwood("fit", data, "--option", "mdl_correction=false", "--option", "max_leaves=10")
    assert small.status == 0 and "many to read" not in small.out


def test_a_search_has_cross_validated_its_sizes_already(clearwood, iris_csv):
    settings = ["--option", "generations=20", "--option", "cv=3", "--option", "max_leaves=5"]
    answer = clearwood("fit", iris_csv, "--learner", "pareto", *settings)
    assert "%, cross-validated for its size; always saying" in answer.out


@pytest.mark.parametrize("learner", ["pareto:generations=200", "setgen:evaluations=200,cv=3", "linear"])
def test_an_interrupted_search_prints_and_saves_its_tree_and_checks_nothing(
    clearwood, iris_csv, tmp_path, learner, monkeypatch
):
    from clearwood.evolve import run

    def stopped(search, **options):
        advance = search.advance
        search.advance = lambda: (advance(), signal.raise_signal(signal.SIGINT) if search.usable else None)
        return searched(search, **options)

    searched, saved = run.run, tmp_path / "tree.json"
    monkeypatch.setattr("clearwood.evolve.base.run", stopped)
    monkeypatch.setattr("clearwood.evaluate.evaluate", lambda *_: pytest.fail("the check was made"))
    answer = clearwood("fit", iris_csv, "--learner", learner, "--save", saved)
    tree = cw.Tree.from_json(saved.read_text(encoding="utf-8"))
    assert answer.status == 0 and "interrupted after" in answer.err and answer.out.startswith(f"{tree}\n")
    assert "Accuracy: not cross-validated, since the search was interrupted; always saying" in answer.out


def test_the_tree_is_saved_before_the_check_and_survives_its_end(clearwood, iris_csv, tmp_path, monkeypatch):
    saved = tmp_path / "tree.json"

    def stopped(*_):
        assert cw.Tree.from_json(saved.read_text(encoding="utf-8")).n_leaves == 5
        raise KeyboardInterrupt

    monkeypatch.setattr("clearwood.evaluate.evaluate", stopped)
    answer = clearwood("fit", iris_csv, "--save", saved)
    assert (answer.status, answer.err) == (0, f"saved to {saved}\n")
    assert "Accuracy: not known, since the cross-validation was interrupted; always saying" in answer.out
    assert clearwood("fit", iris_csv, "--json").document["accuracy"] is None


def test_a_pipe_gets_one_document(clearwood, iris_csv, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    assert clearwood("fit", iris_csv, "--save", pipe).status == 0
    reader.join(10)
    assert "10-fold" in cw.Tree.from_json(got[0]).accuracy


def test_columns_can_be_ignored_and_typed(clearwood, iris_csv):
    document = clearwood("fit", iris_csv, "--ignore", "petal length", "--nominal", "petal width", "--json").document
    columns = {column["name"]: column for column in document["tree"]["columns"]}
    assert "petal length" not in columns
    assert "0.2" in columns["petal width"]["values"]


def test_weights_and_missing_markers_are_read(clearwood, tmp_path):
    data = tmp_path / "small.csv"
    rows = [("1", "2", "no"), ("2", "2", "no"), ("-9", "2", "no"), ("8", "0.5", "yes"), ("9", "0.5", "yes")]
    data.write_text("x,w,y\n" + "".join(",".join(row) + "\n" for row in rows), encoding="utf-8")
    document = clearwood("fit", data, "--weights", "w", "--missing", "-9", "--option", "min_leaf=1", "--json").document
    assert np.allclose(document["tree"]["counts"][0], [6, 1])
    assert [column["name"] for column in document["tree"]["columns"]] == ["x"]


def test_a_warning_is_one_line_on_the_standard_error(clearwood, tmp_path):
    data = tmp_path / "holed.csv"
    data.write_text("x,y\n" + "".join(f"{i},{'ab'[i > 5]}\n" for i in range(12)) + "3,?\n", encoding="utf-8")
    answer = clearwood("fit", data, "--json")
    assert answer.status == 0 and answer.document["leaves"] == 2
    assert answer.err.startswith("clearwood: warning: ") and answer.err.count("\n") == 1
    assert clearwood("fit", data, "--json", "--quiet").err == ""


def test_one_tree_can_be_made_of_many_but_many_are_not_printed(clearwood, tmp_path):
    data = tmp_path / "steps.csv"
    data.write_text("x,y\n" + "".join(f"{i},{'abc'[i // 10]}\n" for i in range(30)), encoding="utf-8")
    for learner in ("ism", "cmm"):
        assert clearwood("fit", data, "--learner", learner, "--json").document["leaves"] >= 3
    assert "ISM_td tree" in clearwood("fit", data, "--learner", "ism", "--option", "estimate=mixed").out
    answer = clearwood("fit", data, "--learner", "bagging")
    assert answer.status != 0 and "bagging does not end in one tree" in answer.err and answer.err.count("\n") == 1
    assert clearwood("evaluate", data, "--learner", "bagging", "--cv", "3", "--repeats", "1").status == 0


def test_a_parameter_may_stand_in_the_learners_name_or_as_an_option(clearwood, iris_csv):
    named = clearwood("fit", iris_csv, "--learner", "c45:min_leaf=10,confidence=0.1")
    stated = clearwood("fit", iris_csv, "--option", "min_leaf=10", "--option", "confidence=0.1")
    together = clearwood("fit", iris_csv, "--option", "min_leaf=10,confidence=0.1")
    assert named.status == 0 and named.out == stated.out == together.out != clearwood("fit", iris_csv).out


def test_what_ends_in_no_tree_of_ours_is_refused_before_the_data_is_read(clearwood):
    for learner in ("bagging:n_estimators=3", "sklearn.tree:DecisionTreeClassifier"):
        answer = clearwood("fit", "nothere.csv", "--learner", learner)
        assert (answer.status, answer.out) == (2, "") and f"{learner} does not end in one tree" in answer.err


def test_where_the_tree_cannot_be_saved_nothing_is_read_or_grown(clearwood, tmp_path):
    for place in ("/proc/tree.json", tmp_path):
        answer = clearwood("fit", "no such data", "--save", place)
        assert answer.status == 2 and str(place) in answer.err and "no such data" not in answer.err


def test_a_tree_that_could_not_be_saved_is_kept_elsewhere(clearwood, iris_csv, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    answer = clearwood("fit", iris_csv, "--save", "/dev/full", "-q")
    assert answer.status == 2 and "No space left" in answer.err and "the tree is kept in" in answer.err
    (kept,) = tmp_path.iterdir()
    assert str(kept) in answer.err and cw.Tree.from_json(kept.read_text()).n_leaves == 5


def test_the_data_are_not_overwritten(clearwood, iris_csv):
    before = iris_csv.read_bytes()
    answer = clearwood("fit", iris_csv, "--save", iris_csv)
    assert answer.status == 2 and "is the file that is read" in answer.err and iris_csv.read_bytes() == before


def test_a_tree_and_its_checkpoint_are_two_files(clearwood, iris_csv, tmp_path):
    place = tmp_path / "tree.json"
    words = ("--learner", "linear", "--option", f"checkpoint={place}", "--save", place)
    answer = clearwood("fit", iris_csv, *words)
    assert answer.status == 2 and "--save and --option checkpoint both write" in answer.err and not place.exists()


def test_quiet_means_no_warnings_whatever_their_source(clearwood, tmp_path):
    data = tmp_path / "names.csv"
    data.write_text("name,x,y\n" + "".join(f"n{i},{i % 9},{'ab'[i % 9 > 4]}\n" for i in range(60)) + "n60,1,?\n")
    loud = clearwood("fit", data)
    assert "identifier" in loud.err and "without a class" in loud.err
    assert clearwood("fit", data, "-q").err == clearwood("evaluate", data, "-q", "--cv", "3").err == ""
    assert clearwood("compare", "c45", "--data", data, "-q", "--cv", "3", "--repeats", "1").err == ""


def test_ordered_columns_and_addresses(clearwood, tmp_path):
    data = tmp_path / "t.csv"
    data.write_text("size,y\n" + "S,in\nM,in\nL,out\nXL,out\n" * 5)
    assert "size ≤ M" in clearwood("fit", data, "--ordered", "size=S,M,L,XL").out
    answer = clearwood("fit", data, "--ordered", "size")
    assert answer.status == 2 and "--ordered size=low,high" in answer.err
    answer = clearwood("fit", "https://example.invalid/t.csv")
    assert answer.status == 2 and "--download" in answer.err


def test_a_table_that_stays_where_it_is(clearwood, iris_csv, tmp_path):
    import duckdb

    file = tmp_path / "iris.parquet"
    duckdb.sql(f"SELECT * FROM read_csv('{iris_csv}')").write_parquet(str(file))
    answer = clearwood("fit", file, "--target", "species", "--scan")
    assert answer.out == f"{cw.C45Classifier().fit(cw.read(iris_csv)).tree_}\n"
    document = clearwood("fit", file, "--target", "species", "--scan", "--json").document
    assert (document["table"], document["rows"]) == ("iris.parquet", 150)


@pytest.mark.parametrize("wrong", [["--decimal", ","], ["--learner", "oc1"], ["--learner", "pareto"]])
def test_what_needs_the_rows_in_memory_is_refused_by_a_scan(clearwood, iris_csv, wrong):
    answer = clearwood("fit", iris_csv, "--scan", *wrong)
    assert answer.status != 0 and "memory" in answer.err


def test_a_file_that_its_engine_refuses(clearwood, tmp_path):
    (tmp_path / "broken.parquet").write_bytes(b"not Parquet")
    answer = clearwood("fit", tmp_path / "broken.parquet", "--scan")
    assert answer.status == 2 and answer.err.startswith("clearwood: DuckDB refused: ")


def test_a_large_file_is_scanned_by_itself_and_one_line_says_so(clearwood, iris_csv, monkeypatch):
    from clearwood.cli import scanning

    plain = clearwood("fit", iris_csv, "--target", "species", "--no-check")
    monkeypatch.setattr(scanning, "_memory", lambda: 4000)
    answer = clearwood("fit", iris_csv, "--target", "species")
    assert answer.out == plain.out and answer.err.count("\n") == 1
    assert answer.err.startswith("iris.csv has 0.0 GB, more than 25% of this machine's memory: it stays where it is")
    assert clearwood("fit", iris_csv, "--target", "species", "--quiet").err == ""
    other = clearwood("fit", iris_csv, "--target", "species", "--learner", "oc1", "--no-check")
    assert other.status == 0 and other.err == ""  # it needs the rows: they are read as ever
    assert scanning.why_scanned(str(iris_csv), cw.C45Classifier(), None, {"decimal": ","}) == ""
    monkeypatch.undo()
    assert (scanning._memory() or 2**30) > 2**20


def test_a_table_of_a_database(clearwood, iris_csv, tmp_path):
    import sqlite3

    import pandas as pd

    with sqlite3.connect(tmp_path / "flowers.sqlite") as db:
        pd.read_csv(iris_csv).to_sql("iris", db, index=False)
    address = f"sqlite:///{tmp_path}/flowers.sqlite"
    answer = clearwood("fit", address, "--table", "iris", "--target", "species")
    assert answer.out == clearwood("fit", iris_csv, "--target", "species", "--no-check").out
    wrong = clearwood("fit", iris_csv, "--table", "iris")
    assert wrong.status == 2 and "--table names a table of a database; a file or a frame has none" in wrong.err
