"""Times as people type them, and the option that may be a time or a column."""

import pytest

from clearwood.best.duration import parse_duration, seconds_or_column, typed_budget


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("60", 60.0), ("60s", 60.0), ("2 min", 120.0), ("0.5h", 1800.0), ("0s", None), ("-3s", None), ("day", None)],
)
def test_times(text, seconds):
    assert parse_duration(text) == seconds


def test_a_column_wins_over_a_time_and_says_so():
    assert seconds_or_column("60s", ["age"]) == (60.0, "")
    assert seconds_or_column("month", ["month"]) == ("month", "")
    named, said = seconds_or_column("60s", ["60s"])
    assert named == "60s" and "--budget 60s is the time" in said
    with pytest.raises(ValueError, match="did you mean 'month'"):
        seconds_or_column("mnth", ["month"])


def test_a_budget_must_be_a_time():
    assert typed_budget(None) is None and typed_budget("5min") == 300
    with pytest.raises(ValueError, match="--budget must be a time"):
        typed_budget("soon")
