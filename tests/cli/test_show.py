import pytest

import clearwood as cw


@pytest.fixture
def tree(tree_json):
    return cw.Tree.from_json(tree_json.read_text(encoding="utf-8"))


FORMS = {
    "text": ([], lambda tree: tree.to_text()),
    "weka": (["--weka"], lambda tree: tree.to_text(style="weka")),
    "rules": (["--rules"], lambda tree: str(tree.rules())),
    "dot": (["--dot"], lambda tree: tree.to_dot()),
    "json": (["--json"], lambda tree: tree.to_json()),
    "sql": (["--sql", "sqlite", "--table", "flowers"], lambda tree: tree.to_sql("flowers", dialect="sqlite")),
}


@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_the_librarys(clearwood, tree_json, tree, form):
    arguments, expected = FORMS[form]
    answer = clearwood("show", tree_json, *arguments)
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.removesuffix("\n") == expected(tree).removesuffix("\n")


@pytest.mark.parametrize("form", FORMS)
def test_export_writes_the_same(clearwood, tree_json, tree, tmp_path, form):
    out = tmp_path / "out"
    options = ["--dialect", "sqlite", "--table", "flowers"] if form == "sql" else []
    answer = clearwood("export", tree_json, "--format", form, "-o", out, *options)
    assert (answer.status, answer.out, answer.err) == (0, "", f"written to {out}\n")
    assert out.read_text(encoding="utf-8").removesuffix("\n") == FORMS[form][1](tree).removesuffix("\n")
    assert clearwood("export", tree_json, "--format", form, *options).out.removesuffix("\n") == out.read_text(
        encoding="utf-8"
    ).removesuffix("\n")


@pytest.mark.parametrize(
    ("name", "start"), [("tree.svg", b"<svg"), ("tree.pdf", b"%PDF"), ("tree.png", b"\x89PNG\r\n\x1a\n")]
)
def test_pictures_are_written_by_the_ending(clearwood, tree_json, tmp_path, name, start):
    shown, exported = tmp_path / name, tmp_path / f"exported-{name}"
    assert clearwood("show", tree_json, "--plot", shown).status == 0
    assert clearwood("export", tree_json, "-o", exported, "--quiet").err == ""
    assert shown.read_bytes().startswith(start) and exported.read_bytes().startswith(start)


@pytest.mark.parametrize("name", ["tree.svg", "tree.pdf", "tree.png"])
def test_pictures_show_how_rows_are_distributed(clearwood, tree_json, iris_csv, tmp_path, name):
    plain, shown, exported = (tmp_path / f"{i}-{name}" for i in range(3))
    assert clearwood("show", tree_json, "--plot", plain).status == 0
    assert clearwood("show", tree_json, "--plot", shown, "--rows", iris_csv).status == 0
    assert clearwood("export", tree_json, "-o", exported, "--rows", iris_csv).status == 0
    sizes = [len(file.read_bytes()) for file in (plain, shown, exported)]
    assert sizes[1] == sizes[2] > sizes[0]
    answer = clearwood("show", tree_json, "--rules", "--rows", iris_csv)
    assert answer.status == 2 and "--rows belongs to pictures (svg, png, pdf); rules has no such option" in answer.err


def test_a_picture_says_the_data_and_the_accuracy_that_fit_has_found(clearwood, iris_csv, tmp_path):
    tree, picture = tmp_path / "tree.json", tmp_path / "tree.svg"
    answer = clearwood("fit", iris_csv, "--save", tree, "-q")
    accuracy = answer.out.partition("Accuracy ")[2].partition(" %")[0]
    assert clearwood("show", tree, "--plot", picture).status == 0
    assert f"{accuracy} % right in 10-fold cross-validation</title>" in picture.read_text(encoding="utf-8")
    assert f"({iris_csv.stem}): " in picture.read_text(encoding="utf-8")
    clearwood("fit", iris_csv, "--save", tree, "-q", "--no-check")
    assert cw.Tree.from_json(tree.read_text(encoding="utf-8")).accuracy == ""


def test_a_picture_is_the_same_each_time(clearwood, tree_json, tmp_path):
    first, second = tmp_path / "1.png", tmp_path / "2.png"
    clearwood("show", tree_json, "--plot", first)
    clearwood("show", tree_json, "--plot", second)
    assert first.read_bytes() == second.read_bytes()


def test_sql_fetches_a_class_or_a_leaf(clearwood, tree_json, tree):
    label, leaf = tree.classes[1], next(node for node in tree.walk() if tree.is_leaf(node))
    wanted = {
        ("--only", label): {"only": label},
        ("--leaf", leaf): {"leaf": leaf},
        ("--nulls", "majority"): {"missing": "majority"},
    }
    for arguments, options in wanted.items():
        shown = clearwood("show", tree_json, "--sql", "duckdb", *arguments)
        assert (shown.status, shown.out) == (0, tree.to_sql("data", "duckdb", **options) + "\n")
        assert clearwood("export", tree_json, "-f", "sql", "--dialect", "duckdb", *arguments).out == shown.out
    assert (
        clearwood("show", tree_json, "--sql", "--only", label).out == tree.to_sql("data", "postgres", only=label) + "\n"
    )
    assert clearwood("show", tree_json, "--sql").out == tree.to_sql("data", "postgres") + "\n"
    assert "duckbd" in clearwood("show", tree_json, "--sql", "duckbd").err
    refused = clearwood("show", tree_json, "--rules", "--only", label)
    assert refused.status == 2 and "--only belongs to SQL" in refused.err


def test_functions_and_models_are_written_by_the_ending(clearwood, tree_json, tree, tmp_path):
    wanted = {"score.py": tree.to_python(), "score.js": tree.to_javascript(), "score.pmml": tree.to_pmml()}
    for name, text in wanted.items():
        assert clearwood("export", tree_json, "-o", tmp_path / name, "-q").status == 0
        assert (tmp_path / name).read_text(encoding="utf-8") == text
    pytest.importorskip("onnx")
    assert clearwood("export", tree_json, "-o", tmp_path / "score.onnx", "-q").status == 0
    assert (tmp_path / "score.onnx").read_bytes() == tree.to_onnx()
    assert "needs a file" in clearwood("export", tree_json, "-f", "onnx").err
