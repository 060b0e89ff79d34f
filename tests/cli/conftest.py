import json
from dataclasses import dataclass

import pytest

from clearwood.cli import run


@dataclass
class Answer:
    status: int
    out: str
    err: str

    @property
    def document(self):
        return json.loads(self.out)


@pytest.fixture
def clearwood(capsys):
    """Run the program in this process: ``clearwood("show", path, "--dot")``."""

    def call(*arguments):
        capsys.readouterr()
        status = run([str(argument) for argument in arguments])
        return Answer(status, *capsys.readouterr())

    return call


@pytest.fixture(scope="session")
def iris_csv(tmp_path_factory):
    from sklearn.datasets import load_iris

    data = load_iris()
    lines = ["sepal length,sepal width,petal length,petal width,species"]
    lines += [
        ",".join([*map(repr, row.tolist()), data.target_names[code]])
        for row, code in zip(data.data, data.target, strict=True)
    ]
    path = tmp_path_factory.mktemp("data") / "iris.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def tree_json(iris_csv, tmp_path_factory):
    """A tree that the program itself has fitted and saved."""
    path = tmp_path_factory.mktemp("trees") / "tree.json"
    assert run(["fit", str(iris_csv), "--target", "species", "--quiet", "--save", str(path)]) == 0
    return path
