import pytest

from clearwood.read.notes import name_some, warn


def test_a_warning_points_at_the_callers_line():
    with pytest.warns(UserWarning, match=r"^seen$") as caught:
        warn("seen")
    assert caught[0].filename == __file__


def test_a_warning_from_inside_the_package_points_outside(tmp_path):
    from clearwood.read import read

    file = tmp_path / "t.csv"
    file.write_text("1,2\n3,4\n", encoding="utf-8")
    with pytest.warns(UserWarning, match="the first line holds only numbers") as caught:
        read(file)
    assert caught[0].filename == __file__


def test_long_names_are_cut_and_many_counted():
    assert name_some(["a" * 41, 7]) == f"'{'a' * 39}…', '7'"
    assert name_some(range(10), 3) == "'0', '1', '2' and 7 more"
    assert name_some([]) == ""
