"""Messages of the command line speak of options, not of Python's arguments."""

import pytest

from clearwood.cli.spoken import as_options


@pytest.mark.parametrize(
    ("said", "spoken"),
    [
        ("leave it out with ignore=['id'].", "leave it out with --ignore id."),
        ('state nominal=["it\'s"] to have', "state --nominal 'it'\"'\"'s' to have"),
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


def test_a_misspelt_command_ends_in_one_sign(clearwood):
    assert clearwood("fti").err == "clearwood: No such command 'fti'; did you mean 'fit'? See 'clearwood --help'.\n"
