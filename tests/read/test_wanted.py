"""Text for a column that is known is what that column makes of it."""

import pytest

from clearwood.read.wanted import as_declared, is_marker
from clearwood.table import Column


@pytest.mark.parametrize("marker", ["?", "", "NA", " NA ", "\t"])
def test_a_marker_is_missing_unless_it_is_declared(marker):
    missing = ("?", "", "NA")
    assert is_marker(marker, missing) and is_marker(marker, missing, Column("a"))
    assert is_marker(marker, missing, Column("a", ("other",)))
    assert not is_marker(marker, missing, Column("a", ("other", marker)))
    assert not is_marker(marker, missing, Column("a", levels=("other", marker)))


def test_what_is_no_text_is_no_marker():
    assert not is_marker(0, ("0",)) and not is_marker(None, ("",))


def test_a_declared_text_is_never_respelled():
    """Two values may be one moment; each stays itself, and what is neither is the first."""
    declared = ("2020-01-01", "2020-01-01 00:00")
    assert as_declared([*declared, "2020-01-01T00:00Z", "2020-01-02"], declared) == [
        *declared,
        declared[0],
        "2020-01-02",
    ]


def test_one_value_that_is_no_date_keeps_all_as_they_are():
    assert as_declared(["2020-01-01T00:00"], ("2020-01-01", "never")) == ["2020-01-01T00:00"]
