"""``clearwood reproduce``: a quick run on one data set that scikit-learn ships, files, mistakes."""

import pytest


@pytest.fixture
def folder(tmp_path):
    """A folder that holds one of the study's data sets."""
    from sklearn.datasets import load_iris

    data = load_iris()
    lines = ["@relation iris", *(f"@attribute a{i} numeric" for i in range(4)), "@attribute class {a,b,c}", "@data"]
    lines += [
        ",".join([*map(repr, row), "abc"[code]]) for row, code in zip(data.data.tolist(), data.target, strict=True)
    ]
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "iris.arff").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def test_ours_beside_the_papers_and_the_files(clearwood, folder, tmp_path):
    out = tmp_path / "out"
    answer = clearwood("reproduce", "c45", "--quick", "--data", folder, "--out", out)
    assert answer.status == 0
    row = next(line for line in answer.out.splitlines() if line.startswith("iris"))
    assert "94.67" in row and not row.endswith("*")
    assert "Left out, for want of data: breast-cancer, " in answer.out
    assert {file.name for file in out.iterdir()} >= {"c45.html", "c45.csv", "c45.sqlite"}
    page = (out / "c45.html").read_text(encoding="utf-8")
    assert f"clearwood reproduce c45 --quick --data {folder} --out {out}" in page
    assert "What the paper leaves open" in page
    assert "<details open><summary>iris: c45 " in page and "(iris): " in page
    assert '<a href="trees-iris.html">The page of iris</a>' in page and (out / "trees-iris.html").exists()


def test_json(clearwood, folder):
    answer = clearwood("reproduce", "c45", "--quick", "--data", folder, "--json", "--quiet")
    assert (answer.status, answer.err, answer.out.count("\n")) == (0, "", 1)
    (line,) = answer.document["lines"]
    assert (line["data"], line["published"], line["significant"]) == ("iris", 94.67, False)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["c54"], "no study 'c54'; did you mean 'c45'? There are: best, c45"),
        ([], "Missing argument 'NAME'"),
        (["c45", "--data", "nowhere"], "no folder nowhere"),
        (["c45", "--data", "."], "CLEARWOOD_DATA"),
        (["c45", "--backend", "dsk"], "'dask'"),
    ],
)
def test_a_mistake_gets_status_2_and_one_line(clearwood, folder, arguments, message, tmp_path, monkeypatch):
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    if "--backend" in arguments:
        arguments = [*arguments, "--data", str(folder)]
    answer = clearwood("reproduce", *arguments)
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert answer.err.startswith("clearwood: ") and message in answer.err
    assert list(empty.iterdir()) == []
