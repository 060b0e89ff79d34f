"""Named data sets: the order of the places, and what is said when a name is nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

import clearwood as cw
from clearwood.read import datasets

TINY = "@relation tiny\n@attribute a numeric\n@attribute c {{no,yes}}\n@data\n{},yes\n"


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """Three folders that could hold a data set, by the order in which they are asked; the machine's own are hidden."""
    checkout = tmp_path / "checkout"
    found = {
        "stated": tmp_path / "stated",
        "beside": tmp_path / "shared" / "data",
        "cache": tmp_path / "xdg" / "clearwood",
    }
    for folder in (checkout, *found.values()):
        folder.mkdir(parents=True)
    (checkout / "pyproject.toml").write_text('[project]\nname = "clearwood"\n')
    monkeypatch.setattr(datasets, "__file__", str(tmp_path / "elsewhere" / "datasets.py"))
    monkeypatch.chdir(checkout)
    monkeypatch.setenv("CLEARWOOD_DATA", str(found["stated"]))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    return found


def test_places_are_asked_in_order(places: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    assert datasets.folders() == list(places.values())
    for number, folder in enumerate(places.values()):
        (folder / "tiny.arff").write_text(TINY.format(number))
    assert datasets.find("tiny") == places["stated"] / "tiny.arff" and datasets.load("tiny").column("a").tolist() == [0]
    monkeypatch.delenv("CLEARWOOD_DATA")
    assert datasets.load("tiny").column("a").tolist() == [1]
    (places["beside"] / "tiny.arff").unlink()
    assert cw.read("tiny").column("a").tolist() == [2]


def test_names_and_endings(places: dict[str, Path]) -> None:
    (places["stated"] / "tiny.ORIG.arff").write_text(TINY.format(1))
    (places["cache"] / "other.csv").write_text("a,c\n1,x\n")
    (places["cache"] / "notes.txt").write_text("no data")
    assert datasets.names() == ["other", "tiny.ORIG"]
    assert cw.read("tiny.ORIG").n_rows == 1 and cw.read("other", target="a").target.name == "a"  # type: ignore[union-attr]


def test_a_name_that_is_nowhere(places: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_: object, **__: object) -> None:
        raise OSError("no network")

    monkeypatch.setattr("sklearn.datasets.fetch_openml", unreachable)
    with pytest.raises(FileNotFoundError, match=r"no data set 'nowhere'.*no network.*CLEARWOOD_DATA"):
        cw.read("nowhere")
    for name in ("../stated/tiny", "a b", ""):
        assert datasets.find(name) is None
        with pytest.raises(ValueError, match="a data set's name"):
            datasets.load(name)


def test_openml_is_the_last_place(places: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    pd = pytest.importorskip("pandas")
    from sklearn.utils import Bunch

    asked = []

    def answer(name: str, **options: object) -> Bunch:
        asked.append((name, options["data_home"]))
        frame = pd.DataFrame({"class": pd.Categorical(["x", "y"], categories=["y", "x"]), "a": [1.5, 2]})
        return Bunch(frame=frame, target_names=["class"])

    monkeypatch.setattr("sklearn.datasets.fetch_openml", answer)
    table = cw.read("far-away")
    assert table.name == "far-away" and table.classes == ("y", "x") and table.feature_names == ("a",)
    assert asked == [("far-away", str(places["cache"] / "openml"))]


def test_files_are_not_taken_for_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for absent in ("nowhere.csv", "nowhere.ods", "folder/nowhere", tmp_path / "nowhere"):
        with pytest.raises(FileNotFoundError, match=r"no file .*nowhere"):
            cw.read(absent)
    (tmp_path / "t.ods").write_text("x")
    with pytest.raises(ValueError, match=r"the ending '\.ods' is not known; known are \.arff"):
        cw.read("t.ods")
    with pytest.raises(ValueError, match="is a folder"):
        cw.read(tmp_path)


def test_the_package_is_the_function() -> None:
    import inspect
    import subprocess
    import sys

    assert inspect.signature(cw.read) == inspect.signature(cw.read.read)  # type: ignore[attr-defined]
    heavy = {"pandas", "polars", "duckdb", "narwhals", "sklearn", "scipy"}
    code = f"import clearwood.read, sys; assert not {heavy} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
