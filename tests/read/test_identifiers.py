import warnings

import numpy as np
import pandas as pd
import pytest

import clearwood as cw
from clearwood.evaluate import evaluate
from clearwood.read.identifiers import identifiers


def people(n_rows=60):
    rng = np.random.default_rng(0)
    age = rng.integers(20, 80, n_rows)
    return pd.DataFrame({"name": [f"n{i}" for i in range(n_rows)], "age": age, "ill": np.where(age > 50, "yes", "no")})


def told(call, *arguments, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(*arguments, **options)
    return [str(warning.message) for warning in caught if "identifier" in str(warning.message)]


def test_names_and_row_numbers_look_like_identifiers():
    frame = people().assign(
        row=range(60), half=[f"v{i % 30}" for i in range(60)], day=pd.date_range("2020", periods=60)
    )
    table = cw.read(frame, target="ill")
    assert identifiers(table) == ["name", "row"]
    assert identifiers(table.take(np.arange(19))) == [], "in a handful of rows, different values mean nothing"
    assert identifiers(table.take(np.arange(60)[::-1])) == ["name"]


def test_a_file_that_is_sorted_by_a_column_does_not_make_it_an_identifier():
    rng = np.random.default_rng(3)
    income = np.sort(rng.choice(np.arange(12_000, 90_000), 200, replace=False)).astype(float)
    holed = np.delete(np.arange(220.0), range(0, 220, 11))
    numbers = {"income": income, "by ten": np.arange(200.0) * 10 + 5, "row": holed}
    table = cw.Table([cw.Column(name) for name in numbers], list(numbers.values()))
    assert identifiers(table) == ["by ten", "row"], "counting goes up by one step, with few gaps"


@pytest.mark.parametrize("learner", [cw.C45Classifier(), cw.ID3Classifier(), cw.CARTClassifier(random_state=0)])
def test_fit_warns_names_the_column_and_says_how_to_leave_it_out(learner):
    frame = people()
    for data in ((cw.read(frame),), (frame.drop(columns="ill"), frame["ill"])):
        (message,) = told(learner.fit, *data)
        assert message.startswith("column 'name' looks like an identifier") and "ignore=['name']" in message
    assert told(learner.fit, cw.read(frame, ignore="name")) == []


def test_a_table_is_warned_of_at_every_fit_and_its_parts_only_if_it_was_not():
    table = cw.read(people())
    assert len(told(cw.C45Classifier().fit, table.take(np.arange(50)))) == 1
    assert len(told(cw.C45Classifier().fit, table)) == len(told(cw.C45Classifier().fit, table)) == 1
    assert told(cw.C45Classifier().fit, table.take(np.arange(50))) == []


def test_evaluate_and_compare_warn_once_not_in_every_fold():
    assert len(told(evaluate, cw.C45Classifier(), cw.read(people()), cv=5, repeats=2)) == 1
    (message,) = told(cw.compare, ["c45", "cart"], [cw.read(people())], cv=5, repeats=1)
    assert message.startswith("table 1: column 'name'")


def test_arrays_have_no_names_to_warn_of():
    X = np.arange(60.0)[:, None]
    assert told(cw.C45Classifier().fit, X, X[:, 0] > 30) == []
