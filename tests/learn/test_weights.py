"""Row and class weights: a row of weight 2 is as good as two rows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numeric_forms import numeric_form
from small_tables import small_tables

import clearwood as cw
from clearwood.table import Column, Table

UNPRUNED = {
    "c45": cw.C45Classifier(prune=False, collapse=False, min_gap=0, min_leaf=1),
    "id3": cw.ID3Classifier(),
    "cart": cw.CARTClassifier(pruning=None),
}
# without missing values all sums are whole numbers, so the trees are the same to the last bit
whole = {"weighted": False, "missing": False, "missing_class": False}


@pytest.mark.parametrize("learner", ["id3", "cart"])
@pytest.mark.parametrize("form", ["counted", "sorted"])
@given(table=small_tables(**whole), seed=st.integers(0, 999))
@settings(max_examples=40)
def test_whole_weights_are_repeated_rows(learner, form, table, seed):
    times = np.random.default_rng(seed).integers(0, 4, size=table.n_rows)
    times[0] = 1
    with numeric_form(form):
        assert _tree_by_weight(learner, table, times) == _tree_by_rows(learner, table, times)


@pytest.mark.parametrize("form", ["counted", "sorted"])
@given(table=small_tables(kinds=("few values", "many values"), **whole), seed=st.integers(0, 999))
@settings(max_examples=40)
def test_whole_weights_are_repeated_rows_for_c45_too(form, table, seed):
    """On numbers only: to tell which nominal columns have many values, J48 counts rows and not weights."""
    times = np.random.default_rng(seed).integers(1, 4, size=table.n_rows)
    with numeric_form(form):
        assert _tree_by_weight("c45", table, times) == _tree_by_rows("c45", table, times)


def _tree_by_weight(learner: str, table: Table, times: np.ndarray) -> cw.Tree:
    return UNPRUNED[learner].fit(table, sample_weight=times).tree_


def _tree_by_rows(learner: str, table: Table, times: np.ndarray) -> cw.Tree:
    return UNPRUNED[learner].fit(table.take(np.repeat(np.arange(table.n_rows), times))).tree_


@pytest.mark.parametrize("learner", UNPRUNED)
def test_rows_of_weight_zero_are_left_out(learner):
    rng = np.random.default_rng(0)
    X, y, weights = rng.normal(size=(60, 3)), rng.integers(2, size=60), rng.integers(0, 2, size=60)
    clf = UNPRUNED[learner]
    light = clf.fit(X, y, sample_weight=weights).tree_
    assert light == clf.fit(X[weights > 0], y[weights > 0]).tree_


@pytest.mark.parametrize("clf", [cw.C45Classifier(), cw.ID3Classifier(max_depth=1), cw.CARTClassifier(random_state=0)])
def test_class_weights_multiply_row_weights(clf):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(80, 2))
    y = np.where(X[:, 0] + rng.normal(size=80) > 0.8, "rare", "usual")
    rows = rng.choice([0.5, 1.0, 2.0], size=80)
    factor = {"rare": 4.0, "usual": 0.5}
    by_class = clf.set_params(class_weight=factor).fit(X, y, sample_weight=rows).tree_
    by_row = clf.set_params(class_weight=None).fit(X, y, sample_weight=rows * np.where(y == "rare", 4.0, 0.5)).tree_
    assert by_class == by_row


@pytest.mark.parametrize("clf", [cw.C45Classifier(), cw.ID3Classifier(), cw.CARTClassifier(random_state=0)])
def test_balanced_classes_weigh_the_same(clf):
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(90, 2)), np.repeat([0, 1, 2], [60, 20, 10])
    weights = rng.choice([0.5, 1.0, 3.0], size=90)
    counts = clf.set_params(class_weight="balanced").fit(X, y, sample_weight=weights).tree_.counts[0]
    clf.set_params(class_weight=None)
    assert counts == pytest.approx([weights.sum() / 3] * 3)


def test_a_table_brings_its_weights_and_sample_weight_multiplies_them():
    rng = np.random.default_rng(3)
    columns, target = [cw.Column("x")], cw.Column("y", ("a", "b"))
    own, given_weights = rng.choice([1.0, 2.0], size=40), rng.choice([1.0, 3.0], size=40)
    x, y = rng.normal(size=40), rng.integers(2, size=40)
    both = cw.C45Classifier().fit(Table(columns, [x], target=target, y=y, weights=own), sample_weight=given_weights)
    one = cw.C45Classifier().fit(Table(columns, [x], target=target, y=y, weights=own * given_weights))
    assert both.tree_ == one.tree_


def test_balanced_classes_share_the_weight_of_all_rows_and_absent_ones_take_no_part():
    table = Table([Column("x")], [np.arange(12.0)], target=Column("y", ("a", "never", "b")), y=[0] * 9 + [2] * 3)
    for learner in (cw.C45Classifier, cw.ID3Classifier, cw.CARTClassifier):
        assert learner(class_weight="balanced").fit(table).tree_.counts[0] == pytest.approx([6, 0, 6])


LEARNERS = [
    cw.ID3Classifier(),
    cw.C45Classifier(),
    cw.CARTClassifier(random_state=0),
    cw.OC1Classifier(random_state=0),
    cw.ParetoTreeClassifier(population_size=8, generations=3, selection=3, random_state=0),
    cw.LinearTreeClassifier(population_size=4, generations=3, random_state=0),
    cw.SetGenClassifier(population_size=4, evaluations=6, cv=2, random_state=0),
    cw.BaggedTreesClassifier(n_estimators=2, random_state=0),
    cw.ISMClassifier(random_state=0),
]


@pytest.mark.parametrize("clf", LEARNERS, ids=lambda clf: type(clf).__name__)
@pytest.mark.parametrize("weight", [1e308, 1e-300])
def test_weights_beyond_what_sums_can_hold_are_refused_and_never_hang(clf, weight):
    table = Table([Column("a")], [np.arange(12.0)], target=Column("y", ("n", "y")), y=[0, 1] * 6)
    with pytest.raises(ValueError, match="weights must add up to between"):
        clf.fit(table, sample_weight=[weight] * 12)


@pytest.mark.parametrize("clf", LEARNERS[:3], ids=lambda clf: type(clf).__name__)
def test_a_leaf_of_next_to_no_weight_predicts_its_class(clf):
    tree = clf.fit([[0], [1], [2]], [0, 1, 0], sample_weight=[0.5, 4e-7, 0.5]).tree_
    found = tree.predict_proba(Table([Column("x0")], [[0.0, 1.0, 2.0]]))
    np.testing.assert_allclose(found.sum(axis=1), 1.0)


@pytest.mark.parametrize("clf", LEARNERS[:3], ids=lambda clf: type(clf).__name__)
def test_shares_of_rows_without_a_value_add_up_however_light_the_table_is(clf):
    rng = np.random.default_rng(1)
    codes = np.where(rng.random((3, 60)) < 0.3, -1, rng.integers(6, size=(3, 60)))
    columns = [Column(f"v{i}", tuple("abcdef")) for i in range(3)]
    table = Table(columns, codes, target=Column("y", ("n", "y")), y=rng.integers(2, size=60), weights=np.full(60, 1e-6))
    np.testing.assert_allclose(clf.fit(table).tree_.predict_proba(table).sum(axis=1), 1.0)
