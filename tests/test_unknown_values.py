"""Values that a tree does not know are counted and said, once for each call."""

import warnings

import numpy as np
import pandas as pd
import pytest
from nominal_planes import sky_tree

import clearwood as cw
from clearwood.unknown_values import UnknownValues, unknown_values

SKIES = ["sun", "rain", "fog"] * 8
GO = ["yes", "no", "no"] * 8


@pytest.fixture(scope="module")
def clf():
    frame = pd.DataFrame({"sky": SKIES, "wind": np.arange(24.0), "go": GO})
    return cw.C45Classifier().fit(cw.read(frame))


def skies(*values):
    return cw.read(pd.DataFrame({"sky": values, "wind": np.zeros(len(values))}), target=False)


def told(call, *arguments, **options):
    """The texts of the warnings of a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(*arguments, **options)
    return [str(warning.message) for warning in caught]


@pytest.mark.parametrize("method", ["predict", "predict_proba", "apply"])
def test_rows_and_values_are_named_once_per_call(clf, method):
    table = skies("sun", "hail", "rain", "hail", "snow", "sun", "fog", "fog")
    for model in (clf, clf.tree_):
        (message,) = told(getattr(model, method), table)
        assert "column 'sky': 3 of 8 rows hold 2 values that the tree does not know: 'hail', 'snow'" in message
        assert message.endswith("They count as missing.")


def test_an_ensemble_says_it_once_for_all_its_trees():
    frame = pd.DataFrame({"sky": SKIES, "wind": np.arange(24.0)})
    bag = cw.BaggedTreesClassifier(n_estimators=5, random_state=0).fit(frame, GO)
    new = pd.DataFrame({"sky": ["sun", "hail", "rain", "fog"], "wind": 1.0})
    assert len(told(bag.predict, new)) == len(told(bag.predict_proba, new)) == 1
    with pytest.raises(ValueError, match="allow_unknown=True"):
        bag.predict(new.assign(sky="hail"))
    assert len(told(bag.predict, new.assign(sky="hail"), allow_unknown=True)) == 1


def test_the_warning_points_at_the_callers_line(clf):
    with pytest.warns(UserWarning, match="the row holds a value that the tree does not know: 'hail'") as caught:
        clf.predict(skies("hail"))
    assert caught[0].filename == __file__


@pytest.mark.parametrize("method", ["predict", "predict_proba", "apply"])
def test_nearly_all_rows_are_an_error_that_names_the_nearest_values(clf, method):
    table = skies(*["Sun", "Rain", "Fogg"] * 4)
    for model in (clf, clf.tree_):
        with pytest.raises(
            ValueError, match=r"12 of 12 rows hold 3 values .* the nearest that it knows: 'fog', 'rain', 'sun'"
        ):
            getattr(model, method)(table)
        assert len(told(getattr(model, method), table, allow_unknown=True)) == 1
    with pytest.raises(ValueError, match="it knows 'fog', 'rain', 'sun'"):
        clf.predict(skies(*["1", "2", "3"]))


def test_the_bound_counts_rows_that_hold_a_value(clf):
    with pytest.raises(ValueError, match="9 of 10 rows"):
        clf.predict(skies(*["hail"] * 9, "sun", *[None] * 90))
    assert len(told(clf.predict, skies(*["hail"] * 8, "sun", "sun"))) == 1
    assert len(told(clf.predict, skies("hail", "hail"))) == 1, "one or two rows are cases, not a column"


def test_columns_that_are_not_tested_do_not_matter(clf):
    frame = pd.DataFrame({"noise": list("abcdef") * 4, "sky": SKIES, "go": GO})
    tree = cw.C45Classifier().fit(cw.read(frame)).tree_
    assert tree.features == ("sky",)
    new = cw.read(frame.assign(noise="z").drop(columns="go"), target=False)
    assert told(tree.predict, new) == [] and unknown_values(tree, new) == []


def test_missing_cells_and_known_values_are_not_reported(clf):
    assert told(clf.predict, skies("sun", None, "fog")) == []


def test_what_json_gets():
    unknown = UnknownValues("sky", {"hail": 2, "snow": 1}, 3, ("sun",))
    assert unknown.to_dict() == {"column": "sky", "rows": 3, "values": {"hail": 2, "snow": 1}} and unknown.nearly_all


def test_values_that_only_a_sum_asks_for_are_reported_too_and_count_as_none_of_them():
    tree = sky_tree()
    table = cw.read(pd.DataFrame({"wind": [4.0, 4.0, 4.0], "sky": ["rain", "snow", "sun"]}), target=False)
    (message,) = told(tree.predict_proba, table)
    assert "column 'sky': 1 of 3 rows hold a value that the tree does not know: 'snow'" in message
    build = cw.TreeBuilder(tree.columns, tree.classes)
    terms = {("sky", "rain"): 2.0, "wind": 0.1}
    alone = build.build(build.linear(terms, 0.5, [build.leaf([6, 1]), build.leaf([1, 6])]))
    with pytest.warns(UserWarning, match="snow"):
        assert alone.apply(table).tolist() == [2, 1, 1]
