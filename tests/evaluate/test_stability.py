"""Semantic stability: equation (5) of Van Assche and Blockeel (2007), and the examples it is measured on."""

import warnings
from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_iris
from small_tables import random_small_table

import clearwood as cw
from clearwood.evaluate.stability import agreement, semantic_stability, uniform_examples
from clearwood.table import Column, Table


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def equation_5(predictions):
    """The double sum over pairs of models, as it stands in the paper but for its bounds."""
    n, n_examples = len(predictions), len(predictions[0])
    total = 0.0
    for i in range(n_examples):
        same = sum(predictions[k][i] == predictions[l][i] for k, l in combinations(range(n), 2))
        total += 2 / ((n - 1) * n) * same
    return total / n_examples


# -- agreement -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n_models", "n_classes"), [(2, 2), (3, 5), (10, 3), (50, 26)])
def test_agreement_is_equation_5(n_models, n_classes):
    predictions = np.random.default_rng(n_models).integers(n_classes, size=(n_models, 200))
    assert agreement(predictions) == pytest.approx(equation_5(predictions), rel=1e-12)
    labels = np.array([f"class {code}" for code in range(n_classes)])[predictions]
    assert agreement(labels) == agreement(predictions)
    assert agreement(list(predictions.astype(np.uint8))) == agreement(predictions)


def test_models_that_are_alike_agree_and_models_that_never_are_do_not():
    answers = np.arange(100) % 3
    assert agreement([answers] * 10) == 1
    assert agreement([answers, answers + 1]) == 0


def test_fewer_than_two_models_have_no_agreement():
    assert np.isnan(agreement([])) and np.isnan(agreement([[0, 1, 1]]))


def test_predictions_without_examples_are_refused():
    with pytest.raises(ValueError, match="predictions must hold a row of examples"):
        agreement(np.empty((3, 0)))


# -- uniform examples ------------------------------------------------------------------------------


def test_examples_are_uniform_over_the_domains_and_independent():
    skewed = np.random.default_rng(1).exponential(size=300)
    sky = Column("sky", ("sun", "rain", "fog", "snow"))
    table = Table([Column("wind"), sky], [skewed, np.zeros(300)], target=Column("play", ("no", "yes")), y=[0] * 300)
    examples = uniform_examples(table, 4000, rng=2)
    wind, codes = examples.column("wind"), examples.column("sky")
    low, width = skewed.min(), np.ptp(skewed)
    assert stats.kstest(wind, stats.uniform(low, width).cdf).pvalue > 0.001
    assert stats.chisquare(np.bincount(codes, minlength=4)).pvalue > 0.001  # values that never occur, too
    assert stats.kruskal(*(wind[codes == code] for code in range(4))).pvalue > 0.001
    assert examples.n_rows == 4000 and (examples.y == -1).all()
    assert (examples.columns, examples.target) == (table.columns, table.target)


def test_the_same_seed_draws_the_same_examples():
    table = random_small_table(np.random.default_rng(3))
    first, again, other = (uniform_examples(table, 50, rng) for rng in (1, np.random.default_rng(1), 2))
    assert np.array_equal(first.numeric, again.numeric, equal_nan=True) and np.array_equal(first.nominal, again.nominal)
    assert not (
        np.array_equal(first.numeric, other.numeric, equal_nan=True) and np.array_equal(first.nominal, other.nominal)
    )


def test_examples_stay_inside_the_domains_of_odd_tables():
    rng = np.random.default_rng(4)
    for _ in range(200):
        table = random_small_table(rng)
        examples = uniform_examples(table, 20, rng)
        assert examples.n_rows == 20
        for i, column in enumerate(table.columns):
            cells, drawn = table.column(i), examples.column(i)
            if column.is_nominal:
                assert drawn.min() >= 0 and drawn.max() < column.n_values
            elif np.isnan(cells).all():
                assert np.isnan(drawn).all()
            else:
                assert np.nanmin(cells) <= drawn.min() and drawn.max() <= np.nanmax(cells)


def test_the_widest_range_of_numbers_does_not_overflow():
    largest = np.finfo(float).max
    examples = uniform_examples(Table([Column("x")], [[-largest, largest]]), 100)
    assert np.isfinite(examples.numeric).all() and (examples.numeric > 0).any() and (examples.numeric < 0).any()


def test_a_domain_that_is_not_known_stays_missing():
    table = Table([Column("x"), Column("s", ())], [[np.nan, np.nan], [-1, -1]])
    examples = uniform_examples(table, 5)
    assert np.isnan(examples.numeric).all() and (examples.nominal == -1).all()
    assert uniform_examples(Table([], []), 5).n_rows == 5


def test_no_examples_are_refused():
    with pytest.raises(ValueError, match="n must be at least 1, got 0"):
        uniform_examples(Table([Column("x")], [[1.0]]), 0)


# -- stability -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def fold_models():
    table = cw.read(load_iris(as_frame=True).frame, target="target")
    folds = np.random.default_rng(5).permutation(150) % 5
    return table, [cw.C45Classifier().fit(table.take(folds != fold)) for fold in range(5)]


def test_the_stability_of_trees_and_of_their_estimators_is_equation_5(fold_models):
    table, models = fold_models
    trees = [model.tree_ for model in models]
    examples = uniform_examples(table, 1000, rng=6)
    wanted = equation_5([tree.predict(examples).tolist() for tree in trees])
    assert semantic_stability(trees, table, rng=6) == pytest.approx(wanted, rel=1e-12)
    assert semantic_stability(models, table, rng=6) == pytest.approx(wanted, rel=1e-12)
    assert semantic_stability([tree.predict for tree in trees], table, rng=6) == pytest.approx(wanted, rel=1e-12)
    assert 0.5 < wanted < 1


def test_a_learner_is_wholly_stable_on_the_same_rows(fold_models):
    table, models = fold_models
    assert semantic_stability([models[0], models[0]], table, n_examples=100) == 1
    assert np.isnan(semantic_stability(models[:1], table))
