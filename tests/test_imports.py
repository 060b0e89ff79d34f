"""What an import brings, and what it must not bring."""

import importlib
import inspect
import json
import re
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

import clearwood

ROOT = Path(__file__).parents[1]
HEAVY = [
    "sklearn",
    "scipy",
    "pandas",
    "polars",
    "pyarrow",
    "duckdb",
    "narwhals",
    "rich",
    "typer",
    "matplotlib",
    "joblib",
]


def modules_after(statement: str) -> set[str]:
    code = f"import json, sys\n{statement}\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return set(json.loads(done.stdout))


@pytest.mark.parametrize(
    "statement",
    ["import clearwood", "import clearwood as cw; dir(cw); cw.Table; cw.Tree; cw.Column; cw.Condition"],
)
def test_nothing_heavier_than_numpy_is_loaded(statement):
    assert modules_after(statement).isdisjoint(HEAVY)


def test_help_loads_neither_numpy_nor_learners():
    silently = "with contextlib.redirect_stdout(io.StringIO()):"
    loaded = modules_after(f"import contextlib, io\nimport clearwood.cli\n{silently} clearwood.cli.run(['--help'])")
    assert loaded.isdisjoint({"numpy", "sklearn", "scipy", "duckdb", "matplotlib", "joblib", "clearwood.table"})


@pytest.mark.parametrize("name", clearwood.__all__)
def test_every_public_name_loads(name):
    assert getattr(clearwood, name) is getattr(clearwood, name)
    assert name in dir(clearwood)


@pytest.mark.parametrize("name", ["best", "evaluate", "read"])
def test_a_package_that_is_a_verb_can_be_called(name):
    """``clearwood.read`` is a package and a function: importing the one must not hide the other."""
    package = importlib.import_module(f"clearwood.{name}")
    assert getattr(clearwood, name) is package and callable(package)
    assert inspect.signature(package) == inspect.signature(getattr(package, name))


def test_a_learner_is_judged_by_calling_evaluate():
    table = clearwood.read({"x": [1, 2, 3, 4, 5, 6], "y": ["a", "b", "a", "b", "a", "b"]}, target="y")
    assert clearwood.evaluate(clearwood.C45Classifier(), table, cv=2, repeats=1).cv == 2


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'JungleClassifier'"):
        _ = clearwood.JungleClassifier


def test_the_version_is_the_same_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    build = re.search(r"^  version: '([^']+)'", (ROOT / "meson.build").read_text(encoding="utf-8"), re.MULTILINE)
    assert build is not None
    assert clearwood.__version__ == project["version"] == build[1]
    assert f"## [{clearwood.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_package_says_that_it_has_types():
    from importlib.resources import files

    assert files("clearwood").joinpath("py.typed").is_file()


@pytest.mark.parametrize(("page", "name"), [("CONTRIBUTING.md", "`{}`"), ("docs/architecture.rst", "{}")])
def test_the_pages_name_the_layers_in_their_order(page, name):
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"][0]
    text = (ROOT / page).read_text("utf-8")
    text = text[text.index("cli", text.index("mports only go down")) - 1 :]
    places = [
        [re.search(rf"(?<!\w){re.escape(name.format(module))}(?!\w)", text).start() for module in layer.split(" : ")]
        for layer in contract["layers"]
    ]
    assert all(max(above) < min(below) for above, below in pairwise(places)), places
