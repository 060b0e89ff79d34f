"""Ensembles of other makers, taken over and compared with the original."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from clearwood import (
    BaggedTreesClassifier,
    C45Classifier,
    CMMClassifier,
    Column,
    Ensemble,
    ISMClassifier,
    Table,
    TreeBuilder,
)
from clearwood.learn import gathering
from clearwood.learn.foreign_trees import from_scikit_learn, last_below
from clearwood.learn.gathering import gather

WINE = load_wine()
LABELS = np.array(["red", "rosé", "white"])[WINE.target]
MODELS = {
    "forest": RandomForestClassifier(12, random_state=0),
    "extra": ExtraTreesClassifier(8, random_state=0),
    "bagging": BaggingClassifier(n_estimators=9, random_state=0),
    "some columns, few rows": BaggingClassifier(n_estimators=9, max_features=4, max_samples=6, random_state=1),
    "bagged extra trees": BaggingClassifier(ExtraTreeClassifier(), n_estimators=5, random_state=0),
    "boosted": AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=7, random_state=0),
    "weighted": RandomForestClassifier(5, class_weight="balanced", random_state=0),
    "tree": DecisionTreeClassifier(random_state=0),
    "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
}


def table_of(X: np.ndarray, y: np.ndarray | None = None) -> Table:
    columns = [Column(f"x{i}") for i in range(X.shape[1])]
    target = Column("class", ("red", "rosé", "white"))
    return Table(columns, X.T, target=target, y=None if y is None else y)


@pytest.mark.parametrize("name", MODELS)
def test_every_row_is_predicted_as_by_the_original(name):
    model = MODELS[name].fit(WINE.data, LABELS)
    found = gather(model, table_of(WINE.data, WINE.target), ("red", "rosé", "white"))
    rng = np.random.default_rng(0)
    X = rng.uniform(WINE.data.min(axis=0), WINE.data.max(axis=0), (1000, 13))
    ours = found.predict_proba(table_of(X))
    if name == "boosted":  # the votes; scikit-learn's probabilities are a softmax of them
        assert np.array_equal(np.array(found.classes)[ours.argmax(axis=1)], model.predict(X))
    else:
        assert np.allclose(ours, model.predict_proba(X), atol=1e-12)


def test_cells_at_a_threshold_go_the_same_way():
    """Rows on, just above and just below each threshold, in 64 and in 32 bits."""
    model = RandomForestClassifier(5, random_state=0).fit(WINE.data, WINE.target)
    for member in model.estimators_:
        ours = from_scikit_learn(member, [Column(f"x{i}") for i in range(13)], (0, 1, 2))
        inner = member.tree_.feature >= 0
        for feature, cut in zip(member.tree_.feature[inner], member.tree_.threshold[inner], strict=True):
            near = [
                cut,
                np.nextafter(cut, 9e9),
                np.nextafter(cut, -9e9),
                np.nextafter(np.float32(cut), np.float32(9e9)),
            ]
            near += [last_below(cut), np.nextafter(last_below(cut), 9e9), (near[0] + near[3]) / 2]
            X = np.repeat(WINE.data[:1], len(near), axis=0)
            X[:, feature] = near
            assert np.allclose(ours.predict_proba(Table(ours.columns, X.T)), member.predict_proba(X))


@pytest.mark.parametrize("cut", [0.1, 0.5, -0.7, 1e-40, 3.3e38, -1e30, 0.0])
def test_the_last_number_below_a_threshold(cut):
    last = last_below(cut)
    assert float(np.float32(last)) <= cut
    with np.errstate(over="ignore"):
        assert float(np.float32(np.nextafter(last, np.inf))) > cut or last == np.finfo(np.float32).max


@pytest.mark.parametrize("model", [RandomForestClassifier(8, random_state=0), BaggingClassifier(random_state=0)])
def test_missing_values_take_the_branch_that_scikit_learn_chose(model):
    rng = np.random.default_rng(1)
    X = np.where(rng.random(WINE.data.shape) < 0.2, np.nan, WINE.data)
    clf = ISMClassifier(model.fit(X, LABELS)).fit(X, LABELS)
    assert np.allclose(clf.ensemble_.predict_proba(table_of(X)), model.predict_proba(X), atol=1e-12)
    assert clf.fidelity_ == 1.0


def test_an_unfitted_ensemble_is_fitted_to_the_data_first():
    forest = RandomForestClassifier(6, random_state=0)
    clf = ISMClassifier(forest).fit(WINE.data, LABELS)
    assert not hasattr(forest, "estimators_")
    fitted = forest.fit(WINE.data, LABELS)
    assert np.allclose(clf.ensemble_.predict_proba(table_of(WINE.data)), fitted.predict_proba(WINE.data))
    bag = BaggedTreesClassifier(n_estimators=3, random_state=0)
    assert ISMClassifier(bag).fit(WINE.data, LABELS).ensemble_.classes == ("red", "rosé", "white")


def test_learners_trees_and_lists_of_them_are_ensembles_too():
    trees = [C45Classifier(min_leaf=m).fit(WINE.data, LABELS) for m in (2, 5)]
    for given, n in ((trees[0], 1), (trees[0].tree_, 1), (trees, 2), (Ensemble([t.tree_ for t in trees]), 2)):
        clf = ISMClassifier(given).fit(WINE.data, LABELS)
        assert len(clf.ensemble_) == n
        assert clf.fidelity_ == 1.0


def test_a_difference_from_the_original_is_an_error(monkeypatch):
    model = RandomForestClassifier(3, random_state=0).fit(WINE.data, LABELS)
    monkeypatch.setattr(gathering, "from_scikit_learn", lambda member, *rest, **options: from_scikit_learn(
        model.estimators_[0], *rest, **options))  # fmt: skip
    with pytest.raises(RuntimeError, match=r"not taken over faithfully: \d+ of 178 rows .* RandomForestClassifier"):
        ISMClassifier(model).fit(WINE.data, LABELS)


def test_other_columns_are_refused():
    forest = RandomForestClassifier(3, random_state=0).fit(WINE.data[:, :5], LABELS)
    with pytest.raises(ValueError, match="fitted on 5 columns, but the data has 13"):
        ISMClassifier(forest).fit(WINE.data, LABELS)
    named = load_wine(as_frame=True)
    bag = BaggedTreesClassifier(n_estimators=2, random_state=0).fit(named.data.rename(columns={"hue": "tint"}), LABELS)
    with pytest.raises(ValueError, match="fitted on other columns: the data lacks 'tint'"):
        ISMClassifier(bag).fit(named.data, LABELS)
    with pytest.raises(ValueError, match="fitted on other columns: it does not know 'hue'"):
        ISMClassifier(BaggedTreesClassifier(n_estimators=2).fit(named.data.drop(columns="hue"), LABELS)).fit(
            named.data, LABELS
        )
    kinds = named.data.assign(hue=named.data["hue"].round().astype(str))
    with pytest.raises(ValueError, match="column 'hue' is numeric, but the ensemble was fitted with a nominal one"):
        ISMClassifier(BaggedTreesClassifier(n_estimators=2).fit(kinds, LABELS)).fit(named.data, LABELS)


@pytest.mark.parametrize("learner", [ISMClassifier, CMMClassifier])
def test_columns_are_found_by_name(learner):
    frame = load_wine(as_frame=True).data
    forest = RandomForestClassifier(6, random_state=0).fit(frame[frame.columns[::-1]], LABELS)
    clf = learner(forest, random_state=0).fit(frame, LABELS)
    assert clf.fidelity_ == (clf.predict(frame) == forest.predict(frame[frame.columns[::-1]])).mean() > 0.95


@pytest.mark.parametrize("learner", [ISMClassifier, CMMClassifier])
@pytest.mark.parametrize("fitted", [False, True])
def test_truth_values_are_numbers_to_an_ensemble_that_knows_numbers_only(learner, fitted):
    rng = np.random.default_rng(0)
    frame = pd.get_dummies(pd.DataFrame({"k": rng.choice(list("uvw"), 150), "a": rng.normal(size=150)}))
    y = np.where(frame["k_u"] ^ (frame["a"] > 0), "yes", "no")
    forest = RandomForestClassifier(6, random_state=0)
    clf = learner(forest.fit(frame, y) if fitted else forest, random_state=0).fit(frame, y)
    theirs = forest.fit(frame, y).predict(frame)
    assert clf.fidelity_ == (clf.predict(frame) == theirs).mean() > 0.95
    assert {c.name for c in clf.ensemble_.columns} == set(frame.columns)


def test_numbers_only_means_numbers_only():
    table = Table([Column("a", ("x", "y"))], [[0, 1, 0, 1]], target=Column("c", ("p", "q")), y=[0, 1, 0, 1])
    with pytest.raises(ValueError, match="RandomForestClassifier knows numbers only, but column 'a' is nominal"):
        ISMClassifier(RandomForestClassifier()).fit(table)


@pytest.mark.parametrize(
    "model", [GradientBoostingClassifier(n_estimators=2), GaussianNB(), BaggingClassifier(GaussianNB())]
)
def test_models_that_are_no_such_ensembles_are_refused(model):
    with pytest.raises(TypeError, match=r"must be (a bagging of this library|made of scikit-learn's trees)"):
        ISMClassifier(model.fit(*load_iris(return_X_y=True))).fit(*load_iris(return_X_y=True))


@pytest.mark.parametrize("wrong", ["bagging", 3, RandomForestClassifier, [], object()])
def test_nonsense_is_refused(wrong):
    with pytest.raises((TypeError, ValueError), match="ensemble must"):
        ISMClassifier(wrong).fit(*load_iris(return_X_y=True))


def test_hyper_planes_are_refused():
    table = table_of(WINE.data, WINE.target)
    build = TreeBuilder(table.columns, table.classes)
    plane = build.linear({"x0": 1.0, "x1": 2.0}, 15.0, [build.leaf([1, 0, 0]), build.leaf([0, 1, 1])])
    with pytest.raises(ValueError, match="tests several features at once"):
        ISMClassifier(build.build(plane)).fit(table)
    golf = Table([Column("sky", ("sun", "rain"))], [[0, 1, 1, 0]], target=Column("y", ("a", "b")), y=[0, 1, 1, 0])
    build = TreeBuilder(golf.columns, golf.classes)
    values = build.linear({("sky", "rain"): 1.0}, 0.5, [build.leaf([2, 0]), build.leaf([0, 2])])
    with pytest.raises(ValueError, match="tests several features at once"):
        ISMClassifier(build.build(values)).fit(golf)


def test_classes_that_the_ensemble_does_not_know_are_refused_and_its_own_are_kept():
    two = WINE.target < 2
    forest = RandomForestClassifier(3, random_state=0).fit(WINE.data[two], LABELS[two])
    with pytest.raises(ValueError, match="does not know the class 'white'"):
        ISMClassifier(forest).fit(WINE.data, LABELS)
    whole = RandomForestClassifier(3, random_state=0).fit(WINE.data, LABELS)
    clf = ISMClassifier(whole).fit(WINE.data[two], LABELS[two])
    assert clf.classes_.tolist() == ["red", "rosé", "white"]
    assert clf.predict_proba(WINE.data).shape == (178, 3)
