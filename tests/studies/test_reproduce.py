"""Reproduce: a study on small data, its text and files, and what every study has."""

import csv
import json

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

from clearwood.learn.c45 import C45Classifier
from clearwood.studies.reproduce import STUDIES, find_study, reproduce, run_again
from clearwood.studies.study import Study


def write_arff(path, bunch):
    lines = ["@relation r", *(f"@attribute 'x {i}' numeric" for i in range(bunch.data.shape[1]))]
    lines += [f"@attribute class {{{','.join(bunch.target_names)}}}", "@data"]
    lines += [
        ",".join([*map(repr, row), bunch.target_names[code]])
        for row, code in zip(bunch.data.tolist(), bunch.target, strict=True)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A study of two data sets that come with scikit-learn; the paper is right about one and wrong about the other."""
    folder = tmp_path_factory.mktemp("study")
    write_arff(folder / "iris.arff", load_iris())
    write_arff(folder / "the-wine.arff", load_wine())
    published = "data,accuracy,other\niris,94.00,1\nwine,50.00,2\ngone,70.00,3\n"
    (folder / "published.csv").write_text(published, encoding="utf-8")
    (folder / "notes.md").write_text("# Notes\n\nwine is <b>wrong</b> on purpose\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def study(folder):
    return Study(
        name="small",
        title="A small study",
        source="nobody (2025)",
        folder=folder,
        learners=lambda: {"c45": C45Classifier()},
        columns={"c45": "accuracy"},
        cv=5,
        repeats=2,
        files={"wine": "the-wine"},
        averages={"c45": {"stability": 90.0}},
        quick=("iris",),
    )


@pytest.fixture(scope="module")
def found(study, folder):
    return run_again(study, folder=folder, progress=False)


def test_ours_stand_beside_the_papers(found):
    iris, wine = found.lines
    assert (iris.data, iris.published, wine.published) == ("iris", 94.0, 50.0)
    assert iris.ours == pytest.approx(100 * found.comparison.scores()[0].mean())
    assert not iris.is_significant and wine.is_significant
    assert iris.difference == pytest.approx(iris.ours - 94)
    published, ours, _ = found.averages("c45")
    assert (published, ours) == pytest.approx((72.0, (iris.ours + wine.ours) / 2))


def test_the_text_says_what_differs_and_what_is_absent(found):
    text = str(found)
    row = next(line for line in text.splitlines() if line.startswith("wine"))
    assert "50.00" in row and row.endswith("*")
    assert not next(line for line in text.splitlines() if line.startswith("iris")).endswith("*")
    assert "1 of 2 published figures" in text and "* outside: wine" in text
    assert "Left out, for want of data: gone" in text
    assert "stability" not in text, "the average is not over all of the paper's data sets"


def test_the_files_hold_the_same(found, tmp_path):
    found.write_csv(tmp_path / "small.csv")
    rows = list(csv.DictReader((tmp_path / "small.csv").open(encoding="utf-8")))
    assert [(row["data"], row["significant"]) for row in rows] == [("iris", "false"), ("wine", "true")]
    assert float(rows[0]["ours"]) == pytest.approx(found.lines[0].ours, abs=1e-4)
    found.write_page(tmp_path / "small.html")
    page = (tmp_path / "small.html").read_text(encoding="utf-8")
    assert "Beside the paper" in page and "&lt;b&gt;wrong&lt;/b&gt;" in page and "nobody (2025)" in page
    json.dumps(found.to_dict(), allow_nan=False)


def test_a_quick_run_is_a_part_of_the_full_one(study, folder, tmp_path, found):
    store = tmp_path / "store.sqlite"
    quick = run_again(study, quick=True, folder=folder, store=store, progress=False)
    assert quick.comparison.data == ("iris",) and len(quick.comparison.results) == 5
    full = run_again(study, folder=folder, store=store, progress=False)
    finished = {result.unit: result.finished for result in full.comparison.results}
    assert all(finished[result.unit] == result.finished for result in quick.comparison.results)
    assert np.array_equal(full.comparison.scores(), found.comparison.scores())


def test_no_data_at_all_is_an_error_with_a_remedy(study, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"CLEARWOOD_DATA to a folder with iris\.arff"):
        run_again(study, folder=tmp_path)
    with pytest.raises(FileNotFoundError, match="no folder"):
        run_again(study, folder=tmp_path / "nowhere")


def test_an_unknown_study_gets_the_nearest():
    with pytest.raises(ValueError, match=r"did you mean 'c45'\?"):
        reproduce("c54")


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_is_complete(name):
    study = find_study(name)
    published = study.published()
    assert study.name == name and published
    assert all(0 < share <= 1 for row in published.values() for share in row.values())
    assert set(study.quick) <= set(published) and set(study.files) <= set(published)
    assert set(study.columns) == set(study.learners()) or study.report is not None or study.run is not None
    assert study.notes().startswith("# ")
