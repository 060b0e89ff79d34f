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
