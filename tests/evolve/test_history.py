"""History: columns of numbers."""

import pytest

from clearwood.evolve.history import History


def test_lines_must_have_the_same_names():
    history = History()
    history.add({"a": 1, "b": 2})
    with pytest.raises(ValueError, match="must have a, b"):
        history.add({"a": 1})
    with pytest.raises(KeyError, match="the columns are a, b"):
        history["c"]


def test_is_a_mapping_of_equal_columns():
    history = History({"steps": [1, 2], "best": [0.5, float("nan")]})
    assert dict(history).keys() == {"steps", "best"}
    assert history == History(history) != History({"steps": [1, 2]})
    assert history != {"steps": [1, 2]}


def test_plot_draws_each_column_against_the_first():
    pytest.importorskip("matplotlib")
    ax = History({"steps": [1, 2, 3], "best": [0.5, 0.6, 0.7], "mean": [0.1, 0.2, 0.3]}).plot()
    assert [line.get_ydata().tolist() for line in ax.lines] == [[0.5, 0.6, 0.7], [0.1, 0.2, 0.3]]
    assert ax.get_xlabel() == "steps"
    with pytest.raises(ValueError, match="empty"):
        History().plot()
