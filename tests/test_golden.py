"""Every golden record: the exact trees of J48, rebuilt through the public interface."""

import warnings

import pytest
from golden_records import (
    Record,
    arff_path,
    compare,
    dataset_names,
    generated_names,
    golden_folder,
    load_records,
    options_to_params,
)
from sklearn.datasets import load_iris
from weather import play_tennis, weather_numeric

import clearwood as cw

PAPERS = dataset_names()


def differences(name: str) -> dict[str, list[str]]:
    """For each setting of which our tree is another than J48's, how they differ."""
    table = cw.read(arff_path(name))
    found = {record["options"]: _compare(table, record) for record in load_records(name)}
    return {options: differences for options, differences in found.items() if differences}


def _compare(table: cw.Table, record: Record) -> list[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of columns in tiny units: J48 loses them too
        fitted = cw.C45Classifier(**options_to_params(record["options"])).fit(table)
    return compare(fitted.tree_, record, table)


def test_the_generated_tables_are_all_here():
    assert len(generated_names()) == 40
    assert sum(len(load_records(name)) for name in generated_names()) == 600


@pytest.mark.parametrize("name", generated_names())
def test_generated_table(name):
    assert differences(name) == {}


@pytest.mark.parametrize(
    "name",
    PAPERS
    or [pytest.param("none", marks=pytest.mark.skip(reason=f"no golden records with their data at {golden_folder()}"))],
)
def test_data_set_of_the_papers(name):
    assert differences(name) == {}


@pytest.mark.skipif(not PAPERS, reason=f"no golden records with their data at {golden_folder()}")
def test_the_data_sets_are_all_here():
    assert len(PAPERS) == 48
    assert sum(len(load_records(name)) for name in PAPERS) == 672


# -- J48's own words, as its documentation and many textbooks print them -----------------------------

IRIS = """
petal width (cm) <= 0.6: setosa (50.0)
petal width (cm) > 0.6
|   petal width (cm) <= 1.7
|   |   petal length (cm) <= 4.9: versicolor (48.0/1.0)
|   |   petal length (cm) > 4.9
|   |   |   petal width (cm) <= 1.5: virginica (3.0)
|   |   |   petal width (cm) > 1.5: versicolor (3.0/1.0)
|   petal width (cm) > 1.7: virginica (46.0/1.0)
"""
WEATHER = """
outlook = sunny
|   humidity = high: no (3.0)
|   humidity = normal: yes (2.0)
outlook = overcast: yes (4.0)
outlook = rain
|   wind = weak: yes (3.0)
|   wind = strong: no (2.0)
"""
WEATHER_NUMERIC = """
outlook = sunny
|   humidity <= 75: yes (2.0)
|   humidity > 75: no (3.0)
outlook = overcast: yes (4.0)
outlook = rain
|   windy = strong: no (2.0)
|   windy = weak: yes (3.0)
"""


def _iris() -> cw.Table:
    iris = load_iris(as_frame=True)
    frame = iris.data.assign(kind=iris.target_names[iris.target])
    return cw.read(frame, target="kind")


@pytest.mark.parametrize(
    ("table", "words"),
    [(_iris, IRIS), (play_tennis, WEATHER), (weather_numeric, WEATHER_NUMERIC)],
    ids=["iris", "weather.nominal", "weather.numeric"],
)
def test_the_text_of_j48(table, words):
    text = cw.C45Classifier().fit(table()).tree_.to_text(style="weka")
    assert words.strip() in text
