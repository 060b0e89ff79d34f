"""Messages of the command line speak of options, not of Python's arguments."""

import shlex

import pytest

from clearwood.cli.spoken import as_options

QUOTED = """it's ["so"]"""


@pytest.mark.parametrize(
    ("said", "spoken"),
    [
        ("leave it out with ignore=['id'].", "leave it out with --ignore id."),
        ('state nominal=["it\'s"] to have', "state --nominal 'it'\"'\"'s' to have"),
        (
            "leave it out with ignore=['Betrag [EUR]', 'id'] here",
            "leave it out with --ignore 'Betrag [EUR]' --ignore id here",
        ),
        (f"state nominal=[{QUOTED!r}] to", f"state --nominal {shlex.quote(QUOTED)} to"),
        (r"state nominal=['a\\b', 'c\nd'] to", r"state --nominal 'a\b' --nominal 'c\nd' to"),
        (r"read it with query='C:\x' here", r"read it with --query 'C:\x' here"),
        ("say nulls='null' (they get NULL)", "say --nulls null (they get NULL)"),
        ("by missing=[…] to have numbers.", "by --missing … to have numbers."),
        ("read it with target= naming a column", "read it with --target naming a column"),
        ("allow_unknown=True (--allow-unknown) counts", "--allow-unknown counts"),
        ("pass target=False for none", "pass target=False for none"),
        ("target 'x' is odd; target=False makes a table without one.", "target 'x' is odd."),
        ("target names 'x', but there is none", "--target names 'x', but there is none"),
        ("a.csv: numeric names 'x', but row 1", "a.csv: --numeric names 'x', but row 1"),
        ("weights and target both name 'x'.", "--weights and --target both name 'x'."),
        ("metric='cost' needs cost_matrix=: what", "--metric cost needs --cost-matrix: what"),
        ("time must have at least 3 different values", "--order must have at least 3 different values"),
        ("leaf must be the number of a leaf", "--leaf must be the number of a leaf"),
        ("the target must be", "the target must be"),
        ("min_leaf must be a number, and time passes", "min_leaf must be a number, and time passes"),
        ("min_leaf=5 is no such thing, subtarget='x'", "min_leaf=5 is no such thing, subtarget='x'"),
    ],
)
def test_arguments_become_options(said, spoken):
    assert as_options(said) == spoken


def test_warnings_and_errors_are_spoken_so(clearwood, tmp_path):
    data = tmp_path / "ids.csv"
    data.write_text("id,x,y\n" + "".join(f"k{i},{i % 7},{'ab'[i % 7 > 3]}\n" for i in range(60)), encoding="utf-8")
    answer = clearwood("fit", data)
    assert answer.status == 0 and "--ignore id" in answer.err and "ignore=[" not in answer.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--target", "z"), "clearwood: --target names 'z', but"),
        (("--numeric", "id"), "; name that text in --missing …, or state --nominal id."),
        (
            ("--weights", "id"),
            "--weights names 'id', but row 1 holds 'k0'; name that text in --missing …, or name a col",
        ),
        (("--decimal", ";"), "clearwood: --decimal must be"),
        (("--dates", "YMD"), "clearwood: --dates must be"),
        (("--query", "select 1"), "clearwood: --query is for a database"),
        (("--jobs", "0"), "'--jobs' / '-j': 0 would do no work; give a number of at least 1, or -1 for all cores; see"),
        (("--target", "half"), "or state --nominal half to take each number as a class.\n"),
    ],
)
def test_wrong_uses_are_told_in_options(clearwood, tmp_path, arguments, said):
    data = tmp_path / "ids.csv"
    data.write_text("id,half,y\n" + "".join(f"k{i},{i / 2},{'ab'[i % 7 > 3]}\n" for i in range(60)), encoding="utf-8")
    answer = clearwood("fit", data, *arguments)
    assert answer.status == 2 and said in answer.err and "=" not in answer.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "TREE", "--sql", "--nulls", "xx"), "--nulls must be one of 'null', 'majority', 'exact', got 'xx'"),
        (("export", "TREE", "--format", "sql", "--nulls", "exat"), "got 'exat'; did you mean 'exact'?"),
        (
            ("show", "TREE", "--sql", "mysql", "--nulls", "exact"),
            "say --nulls null (they get NULL) or --nulls majority",
        ),
        (("show", "TREE", "--plot", "x.bmp"), "'x.bmp' does not end in .svg, .pdf or .png; 'clearwood export' writes"),
        (("show", "TREE", "--plot", "x.json"), "'x.json' does not end in .svg, .pdf or .png"),
        (("export", "TREE", "-o", "x.bmp"), "cannot tell the format from 'x.bmp'; say it with --format"),
        (("show", "TREE", "--plot", "x.svg", "--rows", "DATA"), "has no column 'species', the class that the tree"),
        (("explore", "nothere.csv", "--leaves", "1"), "--leaves must be a whole number between 2 and 10000, got 1"),
        (("explore", "nothere.csv", "--cv", "1"), "--cv must be a whole number of at least 2, got 1"),
        (("explore", "nothere.csv", "--resamples", "-1"), "--resamples must be a whole number of at least 0, got -1"),
        (("explore", "nothere.csv", "--max-rows", "0"), "--max-rows must be a whole number of at least 1, got 0"),
    ],
)
def test_the_option_that_was_typed_is_named_and_nothing_is_begun(
    clearwood, tree_json, tmp_path, monkeypatch, arguments, said
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other.csv").write_text("a,b,c\n1,2,x\n3,4,y\n")
    answer = clearwood(*({"TREE": tree_json, "DATA": "other.csv"}.get(word, word) for word in arguments))
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1) and said in answer.err
    assert "--target" not in answer.err and [file.name for file in tmp_path.iterdir()] == ["other.csv"]


@pytest.mark.parametrize(
    "command", [("fit",), ("fit", "--scan"), ("best",), ("evaluate",), ("explore",), ("compare", "c45")]
)
def test_an_empty_last_column_is_named_with_the_way_out(clearwood, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("a;b;cls;\n" + "".join(f"{i % 7};{i % 3};{'xy'[i % 2]};\n" for i in range(40)))
    answer = clearwood(*command, "t.csv")
    assert answer.status == 2 and answer.err.count("\n") == 1
    assert "no row has a class: the target, column 'column" in answer.err
    assert answer.err.endswith("is empty; if another one is, say --target 'name of the class column' (-t).\n")


def test_a_misspelt_command_ends_in_one_sign(clearwood):
    assert clearwood("fti").err == "clearwood: No such command 'fti'; did you mean 'fit'? See 'clearwood --help'.\n"
