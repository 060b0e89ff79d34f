"""From a table to a page, in Python and from the command line."""

from __future__ import annotations

import json

import numpy as np
import pytest
from page_samples import iris_table

import clearwood as cw
from clearwood.cli import run
from clearwood.view.page.page import Page

QUICK = {"max_leaves": 5, "cv": 3, "resamples": 4, "forest": 5}


@pytest.fixture
def iris_csv(tmp_path):
    table = iris_table()
    lines = [",".join([*table.feature_names, "species"])]
    for row in range(table.n_rows):
        lines.append(",".join([*(f"{v:g}" for v in table.numeric[:, row]), table.classes[table.y[row]]]))
    file = tmp_path / "iris.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_the_front_has_every_size_c45_cart_and_a_forest_all_cross_validated():
    said = []
    page = cw.explore(iris_table(), **QUICK, say=said.append)
    document = page.document
    assert set(document["learners"]) == {"Pareto", "C4.5", "CART"}
    assert all(error is not None for error in document["entries"]["cv_error"])
    assert document["references"][0]["name"] == "5 bagged trees" and 0 <= document["references"][0]["error"] < 0.2
    assert document["stability"][0]["entry"] == document["chosen"] and document["stability"][0]["trees"] == 4
    assert "one standard error" in document["reason"] == page.reason
    assert {"seed", "search", "errors", "fingerprint", "made by"} <= {name for name, _ in document["facts"]}
    assert len(said) == 4


def test_the_same_seed_gives_the_same_page_for_any_number_of_threads():
    table = iris_table()
    assert cw.explore(table, **QUICK).to_html() == cw.explore(table, **QUICK, n_jobs=2).to_html()


def test_rows_without_a_class_are_shown_but_not_learned_from():
    table = iris_table()
    y = table.y.copy()
    y[::10] = -1
    odd = cw.Table(table.columns, list(table.numeric), target=table.target, y=y)
    page = cw.explore(odd, **QUICK)
    assert page.document["rows"]["y"].count(-1) == 15
    assert page.tree.counts[0].sum() == 135


def test_a_table_without_classes_is_refused():
    with pytest.raises(ValueError, match="no class to predict"):
        cw.explore(cw.Table([cw.Column("x")], [[1.0, 2.0]]))


def test_one_class_and_few_rows_still_make_a_page():
    table = cw.Table([cw.Column("x")], [np.arange(6.0)], target=cw.Column("y", ("a", "b")), y=[0, 0, 0, 0, 0, 1])
    page = cw.explore(table, **QUICK)
    assert page.to_html().startswith("<!doctype html>")


def test_the_command_writes_the_page(iris_csv, tmp_path, capsys):
    out = tmp_path / "iris.html"
    options = ["--leaves", "4", "--cv", "3", "--resamples", "0"]
    assert run(["explore", str(iris_csv), "--target", "species", "-o", str(out), "--title", "Flowers", *options]) == 0
    said = capsys.readouterr()
    assert "petal" in said.out and str(out) in said.out and "searching" in said.err
    assert "<title>Flowers</title>" in out.read_text(encoding="utf-8")
    assert (
        run(["explore", str(iris_csv), "--target", "species", "-o", str(out), "--no-data", "-q", "--json", *options])
        == 0
    )
    said = capsys.readouterr()
    assert json.loads(said.out)["page"] == str(out) and not said.err


def test_fit_obeys_constraints_from_a_file(iris_csv, tmp_path, capsys):
    file = tmp_path / "edits.json"
    root = {"test": {"feature": "sepal width", "at_most": 3.0}, "forbid": ["petal width"]}
    file.write_text(json.dumps({"format": "clearwood-constraints", "version": 1, "target": "species", "root": root}))
    command = [
        "fit",
        str(iris_csv),
        "--target",
        "species",
        "--constraints",
        str(file),
        "--save",
        str(tmp_path / "t.json"),
    ]
    for learner in ("c45", "cart:cv=3", "ism", "pareto:generations=5,max_leaves=4,cv=3"):
        assert run([*command, "--learner", learner]) == 0
        tree = cw.Tree.from_json((tmp_path / "t.json").read_text())
        assert str(tree.condition(0, 0)) == "sepal width ≤ 3" and "petal width" not in tree.features
    capsys.readouterr()
    judged = ["evaluate", *command[1:6], "--cv", "3", "--repeats", "1", "--json"]
    assert run(judged) == 0
    assert 0.8 < json.loads(capsys.readouterr().out)["accuracy"]["mean"] < 0.97
    assert run([*command, "--learner", "oc1"]) == 2
    assert "obeyed by c45, cart, distilled, ism, pareto, not by OC1Classifier" in capsys.readouterr().err
    file.write_text("{}")
    assert run(command) == 2
    assert "edits.json" in capsys.readouterr().err


def test_a_saved_tree_becomes_a_page_too(iris_csv, tmp_path):
    tree = tmp_path / "tree.json"
    assert run(["fit", str(iris_csv), "--target", "species", "--save", str(tree), "-q"]) == 0
    assert run(["export", str(tree), "-o", str(tmp_path / "tree.html"), "-q"]) == 0
    assert "clearwood-document" in (tmp_path / "tree.html").read_text(encoding="utf-8")


def test_trees_and_fronts_write_pages(tmp_path):
    table = iris_table()
    clf = cw.ParetoTreeClassifier(
        generations=5, population_size=40, max_leaves=4, cv=3, random_state=0, progress=False
    ).fit(table)
    assert clf.tree_.to_page(tmp_path / "tree.html", table).stat().st_size > 100_000
    assert clf.front_.to_page(tmp_path / "front.html", table, title="Front").stat().st_size > 100_000
    page = Page(clf, table)
    assert page.tree is clf.tree_ and page.reason == clf.explain_choice()
