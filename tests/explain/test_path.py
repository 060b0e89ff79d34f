"""The path of one row in words."""

import math
import re

import numpy as np
import pytest
from nominal_planes import sky_tree, with_nominal_terms
from sample_trees import chain, iris_tree, plane_tree, random_table, random_tree, stump, weather_tree

from clearwood.explain.path import MAX_LINES, _Story, explain_row
from clearwood.table import Column, Table
from clearwood.tree_builder import TreeBuilder
from clearwood.wording import percent

WEATHER = weather_tree()


def weather_row(outlook, humidity=80.0, windy=0, temperature=70.0):
    return Table(WEATHER.columns, [[outlook], [temperature], [humidity], [windy]])


def test_known_values():
    columns = iris_tree().columns
    text = explain_row(iris_tree(), Table(columns, [[5.0, 6.0], [3.0, 3.0], [1.4, 5.1], [0.6, 1.5]]), 1)
    assert text.splitlines() == [
        "petalwidth is 1.5, above 0.6",
        "petalwidth is 1.5, at most 1.7",
        "petallength is 5.1, above 4.9",
        "petalwidth is 1.5, at most 1.5",
        "So class is Iris-virginica (probability 100 %, from 3 training rows).",
        "It would be Iris-versicolor if petalwidth were above 1.5 and at most 1.7.",
    ]
    assert explain_row(iris_tree(), Table(columns, [[5.0], [3.0], [1.4], [0.6]]), 0).startswith(
        "petalwidth is 0.6, at most 0.6\n"
    )


def test_a_missing_value_shares_the_row_out():
    assert explain_row(WEATHER, weather_row(-1), 0).splitlines() == [
        "outlook is missing, so the row is shared out between 3 branches:",
        "  36 % of it goes on with outlook = sunny",
        "    humidity is 80, above 75",
        "    there no has probability 100 %",
        "  29 % of it goes on with outlook = overcast",
        "    there yes has probability 100 %",
        "  36 % of it goes on with outlook = rainy",
        "    windy is TRUE",
        "    there no has probability 100 %",
        "So play is no (probability 71 %, from 3 leaves together).",
        "Probabilities: no 71 %, yes 29 %.",
        "It would be yes if outlook were overcast.",
    ]


def test_an_unknown_value_is_named():
    table = Table([Column("outlook", ("snow",)), *WEATHER.columns[1:]], [[0], [70.0], [80.0], [0]])
    first = explain_row(WEATHER, table, 0).splitlines()[0]
    assert first.startswith("outlook is snow, a value that the tree does not know, so the row is shared out")


def test_an_empty_leaf_is_decided_by_its_parent():
    assert explain_row(WEATHER, weather_row(3), 0).splitlines() == [
        "outlook is fog",
        "no training row went this way, so all rows of this test decide",
        "So play is yes (probability 64 %, from 14 training rows).",
        "Probabilities: yes 64 %, no 36 %.",
        "It would be no if outlook were sunny.",
    ]


def test_sets_of_values():
    sky = Column("sky", ("sun", "rain", "fog", "hail"))
    tree = stump(sky, [[1, 0], [0, 1]], kind=[3, 0, 0], set_start=[0, 2, 2, 2], set_values=[0, 2])
    table = Table([sky], [[2, 1]])
    assert explain_row(tree, table, 0).startswith("sky is fog, one of {sun, fog}\n")
    assert explain_row(tree, table, 1).startswith("sky is rain, not one of {sun, fog}\n")
    single = stump(sky, [[1, 0], [0, 1]], kind=[3, 0, 0], set_start=[0, 1, 1, 1], set_values=[1])
    assert explain_row(single, table, 0).startswith("sky is fog, not rain\n")
    assert explain_row(single, table, 1).startswith("sky is rain\n")


def test_a_value_next_to_the_threshold_does_not_read_as_equal():
    text = explain_row(stump(Column("x"), [[1, 0], [0, 1]]), Table([Column("x")], [[0.50000001]]), 0)
    assert text.startswith("x is 0.50000001, above 0.5\n")


@pytest.mark.parametrize("laplace", [False, True])
@pytest.mark.parametrize("seed", range(15))
def test_class_and_probabilities_are_those_of_prediction(seed, laplace):
    rng = np.random.default_rng(seed)
    table = random_table(rng, missing=0.3)
    tree = random_tree(rng, table, laplace=laplace)
    _told_as_predicted(tree, table)
    _told_as_predicted(with_nominal_terms(rng, tree), table.take(np.arange(15)))


def _told_as_predicted(tree, table):
    probabilities, predicted = tree.predict_proba(table), tree.predict(table)
    for row in range(table.n_rows):
        here = table.take([row])
        story = _Story(tree, here, here)
        story.told()
        assert story.probabilities == pytest.approx(probabilities[row], abs=1e-12)
        text = explain_row(tree, table, row)
        answer = re.search(r"^So class is (\w+) \(probability (.*?),", text, re.MULTILINE)
        assert answer[1] == tree.classes[predicted[row]]
        assert answer[2] == percent(probabilities[row, predicted[row]])


def plane_row(length, width, sky):
    return Table(plane_tree().columns, [[length], [width], [sky]])


def test_a_plane_is_added_up():
    assert explain_row(plane_tree(), plane_row(1.0, 2.5, 0), 0).splitlines()[0] == (
        "0.8·width − 0.2·length is 1.8, at most 2.1 (width 2.5, length 1)"
    )
    near = explain_row(plane_tree(), plane_row(0.0, 2.62500001, 1), 0).splitlines()[0]
    assert near == "0.8·width − 0.2·length is 2.10000001, above 2.1 (width 2.625, length 0)"


def test_a_missing_value_takes_its_branch():
    assert explain_row(plane_tree(), plane_row(math.nan, 2.5, -1), 0).splitlines() == [
        "length is missing: such rows go with 0.8·width − 0.2·length > 2.1",
        "sky is missing: such rows go with sky != rain",
        "So class is a (probability 67 %, from 3 training rows).",
        "Probabilities: a 67 %, b 33 %.",
        "It would be b if sky were rain.",
    ]
    both = explain_row(plane_tree(), plane_row(math.nan, math.nan, 1), 0)
    assert both.startswith("width and length are missing: such rows go with")
    alone = stump(Column("sky", ("sun", "rain")), [[1, 0], [0, 1]], kind=[3, 0, 0], set_start=[0, 2, 2, 2],
                  set_values=[0, 1], missing=[1, -1, -1])  # fmt: skip
    assert explain_row(alone, Table(alone.columns, [[-1]]), 0).startswith(
        "sky is missing: such rows have this branch to themselves\nSo class is c1"
    )


def test_a_plane_without_a_cell_is_shared_out():
    tree = plane_tree(missing=[-1] * 5)
    lines = explain_row(tree, plane_row(math.nan, 2.5, 1), 0).splitlines()
    assert lines[:3] == [
        "length is missing, so the row is shared out between 2 branches:",
        "  42 % of it goes on with 0.8·width − 0.2·length ≤ 2.1",
        "    there a has probability 80 %",
    ]


def test_terms_that_overflow_and_cancel_are_no_number():
    tree = plane_tree(weight_values=[10.0, -10.0])
    row = plane_row(1e308, 1e308, 1)
    assert tree.apply(row).tolist() == [4]
    assert "10·width − 10·length is no number, as infinite values cancel: such rows go" in explain_row(tree, row, 0)


def test_names_with_line_ends_stay_on_one_line():
    column = Column("a\nb", ("x\ny", "z"))
    tree = stump(column, [[1, 0], [0, 1]], ["c\n", "d"])
    assert len(explain_row(tree, Table([column], [[0]]), 0).splitlines()) == 3


def test_a_row_that_reaches_everything_in_a_deep_chain():
    tree = chain(2000)
    text = explain_row(tree, Table(tree.columns, [[math.nan], [math.nan]]), 0)
    assert len(text.splitlines()) == MAX_LINES + 4
    assert "more lines" in text and "from 2001 leaves together" in text


@pytest.mark.parametrize("row", [-1, 1])
def test_a_row_outside_the_table_is_named(row):
    with pytest.raises(ValueError, match=f"row must be between 0 and 0, got {row}"):
        explain_row(WEATHER, weather_row(0), row)


def test_shares_are_those_of_the_training_rows_whose_value_was_known():
    """Rows without the value were shared out in training too, so the weights at the leaves say less than the bags."""
    build = TreeBuilder([Column("sky", ("sun", "rain"))], ["stay", "go"])
    sun, rain = build.leaf([1.0, 7.0], bag=[0.0, 3.0]), build.leaf([2.0, 0.0], bag=[1.0, 0.0])
    tree = build.build(build.branches("sky", [sun, rain]))
    lines = explain_row(tree, Table(tree.columns, [[-1]]), 0).splitlines()
    assert lines[1] == "  75 % of it goes on with sky = sun" and lines[3] == "  25 % of it goes on with sky = rain"
    go = tree.predict_proba(Table(tree.columns, [[-1]]))[0, 1]
    assert lines[-2] == f"Probabilities: go {percent(go)}, stay {percent(1 - go)}."


def sky_row(tree, wind, *sky):
    column = Column("sky", ("sun", "rain", "fog", "hail", "<snow>"))
    return Table([tree.columns[0], column], [[wind], [column.values.index(*sky) if sky else -1]])


def test_a_sum_of_values_names_what_the_row_has_once():
    told = explain_row(sky_tree(), sky_row(sky_tree(), 4.0, "fog"), 0).splitlines()
    assert told[0] == "2·(sky = rain) + 0.1·wind − (sky = fog) is −0.6, at most 0.5 (sky fog, wind 4)"
    rain = explain_row(sky_tree(), sky_row(sky_tree(), 4.0, "rain"), 0).splitlines()
    assert rain[0] == "2·(sky = rain) + 0.1·wind − (sky = fog) is 2.4, above 0.5 (sky rain, wind 4)"


def test_a_sum_is_formed_without_a_value():
    told = explain_row(sky_tree(), sky_row(sky_tree(), 4.0), 0).splitlines()
    assert told[0].endswith("is 0.4, at most 0.5 (sky missing, wind 4)")
    told = explain_row(sky_tree(), sky_row(sky_tree(), 4.0, "<snow>"), 0).splitlines()
    assert told[0].endswith("is 0.4, at most 0.5 (sky <snow>, which the tree does not know, wind 4)")
    told = explain_row(sky_tree(missing=1), sky_row(sky_tree(), math.nan), 0).splitlines()
    assert told[0] == "wind is missing: such rows go with 2·(sky = rain) + 0.1·wind − (sky = fog) > 0.5"
    told = explain_row(sky_tree(), sky_row(sky_tree(), math.nan), 0).splitlines()
    assert told[0] == "wind is missing, so the row is shared out between 2 branches:"
    assert told[1].endswith("2·(sky = rain) + 0.1·wind − (sky = fog) ≤ 0.5")
