import warnings

import pytest

from clearwood.read import read
from clearwood.read.notes import name_some, warn


def test_a_warning_points_at_the_callers_line():
    with pytest.warns(UserWarning, match=r"^seen$") as caught:
        warn("seen")
    assert caught[0].filename == __file__


def test_a_warning_from_inside_the_package_points_outside(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("1,2\n3,4\n", encoding="utf-8")
    with pytest.warns(UserWarning, match="the first line holds only numbers") as caught:
        read(file)
    assert caught[0].filename == __file__


def test_long_names_are_cut_and_many_counted():
    assert name_some(["a" * 41, 7]) == f"'{'a' * 39}…', '7'"
    assert name_some(range(10), 3) == "'0', '1', '2' and 7 more"
    assert name_some([]) == ""


HEAD = "@relation r\n@attribute a numeric\n@attribute b {p,q}\n@attribute y {n,y}\n@data\n"
LONG = "z" * 10_000
LONG_CELLS = {
    "a number in ARFF": ("t.arff", f"{HEAD}{LONG},p,n\n", {}),
    "a value in ARFF": ("t.arff", f"{HEAD}1,{LONG},n\n", {}),
    "a sparse row": ("t.arff", f"{HEAD}{{{LONG} 1}}\n", {}),
    "a stated number": ("t.csv", f"a,y\n1,n\n{LONG},y\n", {"numeric": "a"}),
    "a weight": ("t.csv", f"a,y\n1,n\n{LONG},y\n", {"weights": "a"}),
    "a level": ("t.csv", f"a,y\nS,n\n{LONG},y\n", {"ordered": {"a": ["S", "M"]}}),
    "words among numbers": ("t.csv", f"a,y\n1,n\n2,y\n{LONG},y\n", {}),
    "a row too long": ("t.csv", f"a,y\n1,n\n{LONG},y,{LONG}\n", {}),
    "an attribute": ("t.names", f"n, y.\n{LONG}.\n", {}),
}


@pytest.mark.parametrize("what", LONG_CELLS)
def test_long_cells_are_cut_in_whatever_is_said_of_them(what, tmp_path):
    name, text, options = LONG_CELLS[what]
    (tmp_path / name).write_text(text)
    (tmp_path / "t.data").write_text("1, n\n")
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        try:
            read(tmp_path / name, **options)
            said = ""
        except ValueError as error:
            said = str(error)
    messages = [said, *(str(one.message) for one in noted)]
    assert 20 < max(map(len, messages)) < 500
