"""SetGenSelector: the chosen features in front of other models."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from clearwood import Column, SetGenClassifier, SetGenSelector, Table

SMALL = {"evaluations": 80, "population_size": 20, "cv": 3, "random_state": 0}


@pytest.fixture(scope="module")
def wine():
    return load_wine(as_frame=True)


@pytest.fixture(scope="module")
def selector(wine):
    return SetGenSelector(**SMALL).fit(wine.data, wine.target)


def test_chooses_what_the_classifier_chooses(wine, selector):
    clf = SetGenClassifier(**SMALL).fit(wine.data, wine.target)
    assert selector.features_ == clf.features_
    assert selector.get_support().tolist() == [name in clf.features_ for name in wine.data.columns]
    assert wine.data.columns[selector.get_support(indices=True)].tolist() == list(clf.features_)
    assert selector.get_feature_names_out().tolist() == list(clf.features_)
    assert selector.classifier_.tree_ == clf.tree_


def test_frames_tables_and_arrays_keep_their_kind(wine, selector):
    names = list(selector.features_)
    assert selector.transform(wine.data).equals(wine.data[names])
    polars = pl.from_pandas(wine.data)
    assert selector.transform(polars).equals(polars.select(names))
    table = Table([Column(n) for n in wine.data.columns], wine.data.to_numpy().T)
    assert selector.transform(table).feature_names == selector.features_
    bare = SetGenSelector(**SMALL).fit(wine.data.to_numpy(), wine.target)
    assert (bare.transform(wine.data.to_numpy()) == wine.data[names].to_numpy()).all()


def test_serves_another_model(wine):
    model = make_pipeline(SetGenSelector(**SMALL), StandardScaler(), LogisticRegression())
    assert cross_val_score(model, wine.data, wine.target, cv=3).mean() > 0.85


def test_output_kind_can_be_set(wine):
    found = SetGenSelector(**SMALL).set_output(transform="pandas").fit(wine.data, wine.target).transform(wine.data)
    assert isinstance(found, pd.DataFrame)


def test_nominal_columns_pass(wine):
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=90)
    frame = pd.DataFrame({"noise": rng.random(90), "sign": np.where(y, "<yes>", 'n"o')})
    found = SetGenSelector(**SMALL).fit(frame, y)
    assert found.features_ == ("sign",)
    assert found.transform(frame).columns.tolist() == ["sign"]


def test_other_columns_are_refused(wine, selector):
    with pytest.raises(ValueError, match="feature names"):
        selector.transform(wine.data.drop(columns="ash"))
    with pytest.raises(ValueError, match="evaluations"):
        SetGenSelector(evaluations=0).fit(wine.data, wine.target)
