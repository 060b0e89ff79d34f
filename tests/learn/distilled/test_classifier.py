"""One small tree of what a teacher knows: teachers of all kinds, sizes, tests, and bad inputs."""

import warnings

import numpy as np
import pandas as pd
import pytest
from mixed_tables import mixed_table
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_iris, load_wine, make_classification
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from clearwood import BaggedTreesClassifier, C45Classifier, Column, DistilledTreeClassifier, ForestClassifier, Table
from clearwood.conditions import Kind
from clearwood.evaluate.structural_risk import choose_size
from clearwood.learn.distilled.classifier import _last_is_clearly_best

X, Y = load_wine(return_X_y=True)
QUICK = {"n_synthetic": 500, "cv": 3, "random_state": 0}


class Fixed:
    """A classifier that is no estimator: it says what a function says, and cannot be fitted anew."""

    def __init__(self, says, classes):
        self.says, self.classes_ = says, np.array(classes)

    def predict_proba(self, X):
        return self.says(np.asarray(X))


# -- what is learned ----------------------------------------------------------------------------


def test_a_small_tree_is_as_accurate_as_c45s():
    X, y = load_breast_cancer(return_X_y=True)
    ours = cross_val_score(DistilledTreeClassifier(tests="sparse", random_state=0), X, y, cv=3).mean()
    assert ours > cross_val_score(C45Classifier(binary_splits=True), X, y, cv=3).mean() - 0.01


def test_the_front_has_a_tree_of_each_size_with_its_figures():
    clf = DistilledTreeClassifier(**QUICK).fit(X, Y)
    assert len(set(clf.front_.sizes)) == len(clf.front_)
    for entry in clf.front_:
        assert entry.tree.n_leaves == entry.n_leaves
        assert 0 <= entry.training_error <= 1 and 0 <= entry.cv_error <= 1 and 0 <= entry.fidelity <= 1
        table = Table([Column(f"x{i}") for i in range(13)], X.T)
        assert entry.training_error == pytest.approx(np.mean(entry.tree.predict(table) != Y))
    assert clf.tree_.n_leaves == clf.n_leaves_
    assert clf.fidelity_ == clf.front_.of_size(clf.n_leaves_).fidelity
    alike = clf.predict(X) == clf.teacher_.predict(X)
    assert clf.fidelity_ == pytest.approx(alike.mean())


def test_choosing_another_size_needs_no_search():
    clf = DistilledTreeClassifier(**QUICK).fit(X, Y)
    size = clf.front_.sizes[0]
    assert clf.choose(size).tree_ == clf.front_.of_size(size).tree
    right = 100 * (1 - clf.front_.of_size(size).cv_error)
    assert clf.tree_.accuracy.startswith(f"{right:.1f} % right in cross-validation (")
    assert "as asked for" in clf.explain_choice() and "as the teacher does" in clf.explain_choice()
    with pytest.raises(ValueError, match="no tree has 99 leaves"):
        clf.choose(99)


@pytest.mark.parametrize("tests", ["axis", "sparse", "linear"])
def test_any_number_of_threads_finds_the_same_tree(tests):
    one, two = (DistilledTreeClassifier(tests=tests, n_jobs=n, **QUICK).fit(X, Y) for n in (1, 2))
    assert one.tree_ == two.tree_
    assert (one.front_.fold_errors == two.front_.fold_errors).all()
    assert [entry.tree for entry in one.front_] == [entry.tree for entry in two.front_]


def test_sparse_tests_have_no_more_terms_than_allowed():
    X, y = load_breast_cancer(return_X_y=True)
    for terms in (2, 3):
        clf = DistilledTreeClassifier(tests="sparse", max_terms=terms, selection=6, **QUICK | {"cv": 5}).fit(X, y)
        widths = [len(clf.tree_.tested(n)) for n in range(clf.tree_.n_nodes) if not clf.tree_.is_leaf(n)]
        assert 1 < max(widths) <= terms


def test_one_term_is_the_search_for_tests_of_one_feature():
    axis = DistilledTreeClassifier(selection=5, **QUICK).fit(X, Y)
    sparse = DistilledTreeClassifier(tests="sparse", max_terms=1, selection=5, **QUICK).fit(X, Y)
    assert sparse.tree_ == axis.tree_ and not (axis.tree_.kind == Kind.LINEAR).any()


def test_more_terms_than_there_are_numbers_are_as_many_as_there_are():
    X, y = load_iris(return_X_y=True)
    four, many = (
        DistilledTreeClassifier(tests="sparse", max_terms=terms, selection=3, **QUICK).fit(X, y) for terms in (4, 2**31)
    )
    assert four.tree_ == many.tree_


def test_weights_of_planes_have_few_digits():
    tree = DistilledTreeClassifier(tests="linear", selection=3, **QUICK).fit(*load_iris(return_X_y=True)).tree_
    digits = [len(f"{abs(w):.15g}".replace(".", "").strip("0").partition("e")[0]) for w in tree.weight_values]
    assert np.median(digits) <= 3


@pytest.mark.parametrize("tests", ["axis", "sparse", "linear"])
def test_nominal_columns_and_missing_cells_are_of_use(tests):
    table, more = mixed_table(0, 400), mixed_table(9, 400)
    clf = DistilledTreeClassifier(tests=tests, **QUICK).fit(table)
    assert "value" in clf.tree_.features
    assert (clf.predict(more) == np.array(more.classes)[more.y]).mean() > 0.85


def test_leaves_weigh_what_their_training_rows_weigh():
    weights = np.random.default_rng(0).integers(1, 4, size=len(Y)).astype(float)
    tree = DistilledTreeClassifier(selection=4, **QUICK).fit(X, Y, sample_weight=weights).tree_
    assert tree.counts[0].sum() == pytest.approx(weights.sum())


def test_there_are_at_least_as_many_leaves_as_classes_that_matter():
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=240)
    cells = np.column_stack([(y == 0) + 0.1 * rng.normal(size=240), rng.normal(size=240)])  # tells one of three classes
    teacher = ForestClassifier(random_state=0)  # which sees differences in noise, so that there are larger trees
    clf = DistilledTreeClassifier(teacher, selection="one_se", **QUICK).fit(cells, y)
    assert choose_size(clf.front_, "one_se").n_leaves == 2 < 3 <= clf.n_leaves_


def test_a_teacher_that_needs_two_classes_and_a_class_of_one_row():
    y = np.zeros(60, dtype=int)
    y[7] = 1
    cells = np.random.default_rng(0).normal(size=(60, 2))
    clf = DistilledTreeClassifier(LogisticRegression(), selection=2, **QUICK).fit(cells, y)
    assert np.isnan(clf._teacher.unseen[7]).all()  # without that row there is nothing to be fitted to


def test_max_leaves_and_a_given_size_are_kept():
    assert max(DistilledTreeClassifier(max_leaves=4, **QUICK).fit(X, Y).front_.sizes) <= 4
    clf = DistilledTreeClassifier(selection=3, **QUICK).fit(X, Y)
    assert clf.tree_.n_leaves <= 3 and clf.front_.fold_errors is None


def test_progress_is_told():
    told = []
    DistilledTreeClassifier(progress=lambda done, total: told.append((done, total)), **QUICK).fit(X, Y)
    assert told[-1][0] == told[-1][1] and [done for done, _ in told] == sorted(done for done, _ in told)


def test_an_interrupt_ends_all_lessons():
    class Impatient(GaussianNB):
        def predict_proba(self, X):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        DistilledTreeClassifier(Impatient(), n_jobs=2, **QUICK).fit(X, Y)


# -- teachers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "teacher",
    [
        ForestClassifier(n_estimators=20),
        BaggedTreesClassifier(n_estimators=10),
        RandomForestClassifier(20, oob_score=True),
        GradientBoostingClassifier(n_estimators=5),
        KNeighborsClassifier(5),
        C45Classifier(),
    ],
    ids=lambda teacher: type(teacher).__name__,
)
@pytest.mark.parametrize("fitted", [False, True])
@pytest.mark.filterwarnings("ignore:Some inputs do not have OOB scores")
def test_any_classifier_teaches(teacher, fitted):
    teacher = clone(teacher)
    labels = np.array(["a", "b", "c"])[Y]
    if fitted:
        teacher.fit(X, labels)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.filterwarnings("ignore", message="Some inputs do not have OOB scores")
        clf = DistilledTreeClassifier(teacher, **QUICK).fit(X, labels)
    assert (clf.teacher_ is teacher) == fitted
    assert clf.score(X, labels) > 0.85
    assert clf.fidelity_ > 0.75


def test_a_teacher_of_frames_with_nominal_columns():
    table = mixed_table(3, 150)
    clf = DistilledTreeClassifier(RandomForestClassifier(20, random_state=0), **QUICK).fit(table)
    assert clf.fidelity_ > 0.7
    forest = ForestClassifier(n_estimators=20, random_state=0).fit(table)
    with pytest.warns(UserWarning, match="cannot be fitted anew"):
        clf = DistilledTreeClassifier(forest.ensemble_, selection=5, **QUICK).fit(table)
    assert clf.tree_.n_leaves <= 5


def test_an_ensemble_may_have_seen_its_rows():
    ensemble = ForestClassifier(n_estimators=10, random_state=0).fit(X, Y).ensemble_
    with pytest.warns(UserWarning, match="cannot be fitted anew"):
        DistilledTreeClassifier(ensemble, **QUICK).fit(X, Y)


def test_a_perfect_oracle_is_followed():
    rng = np.random.default_rng(0)
    cells = rng.normal(size=(300, 3))
    truth = (cells[:, 0] > 0).astype(int)
    noisy = np.where(rng.random(300) < 0.2, 1 - truth, truth)
    oracle = Fixed(lambda X: np.eye(2)[(X[:, 0] > 0).astype(int)], [0, 1])
    with pytest.warns(UserWarning, match="cannot be fitted anew"):
        clf = DistilledTreeClassifier(oracle, selection=2, **QUICK).fit(cells, noisy)
    assert clf.tree_.n_leaves == 2 and clf.fidelity_ > 0.98


def test_a_constant_teacher_leaves_the_labels():
    constant = Fixed(lambda X: np.tile([0.4, 0.3, 0.3], (len(X), 1)), [0, 1, 2])
    with pytest.warns(UserWarning, match="cannot be fitted anew"):
        clf = DistilledTreeClassifier(constant, **QUICK).fit(X, Y)
    assert clf.score(X, Y) > 0.8


def test_a_teacher_that_is_always_wrong_is_told_of_and_does_little_harm():
    wrong = Fixed(lambda X: np.eye(2)[(X[:, 0] <= 0).astype(int)], [0, 1])
    cells = np.random.default_rng(0).normal(size=(200, 2))
    with pytest.warns(UserWarning, match=r"the teacher is right for 0.0 % of the rows"):
        clf = DistilledTreeClassifier(wrong, **QUICK).fit(cells, (cells[:, 0] > 0).astype(int))
    assert clf.score(cells, (cells[:, 0] > 0).astype(int)) > 0.9
    assert clf.front_.of_size(clf.n_leaves_).learner.startswith("C4.5")
    assert "It is C4.5's own tree" in clf.explain_choice()


def test_c45s_own_tree_is_there_only_if_it_is_clearly_better():
    clf = DistilledTreeClassifier(**QUICK).fit(*load_iris(return_X_y=True))
    assert {entry.learner for entry in clf.front_} == {"distilled"}
    assert "C4.5" not in clf.explain_choice()
    errors = np.array([[0.3, 0.2, 0.1], [0.4, 0.2, 0.12], [0.3, 0.3, 0.1]])
    assert _last_is_clearly_best(errors)
    errors[:, 2] += [0.12, 0.0, 0.18]
    assert not _last_is_clearly_best(errors)  # it is better, but that may be chance
    assert not _last_is_clearly_best(np.full((3, 3), 0.2))


@pytest.mark.parametrize(
    ("teacher", "error", "message"),
    [
        (GaussianNB, TypeError, "teacher must be None, an Ensemble, a Tree, or a classifier"),
        ("forest", TypeError, "teacher must be None"),
        (GaussianNB().fit(X, Y % 2), ValueError, "the teacher does not know the class 2; it was fitted to 0, 1"),
        (GaussianNB().fit(X[:, :5], Y), ValueError, "the teacher was fitted on 5 columns, but the data has 13"),
        (Fixed(lambda X: np.ones((len(X), 2)), [0, 1, 2]), ValueError, "must give 3 probabilities for each row"),
    ],
)
def test_bad_teachers_are_refused(teacher, error, message):
    with pytest.raises(error, match=message):
        DistilledTreeClassifier(teacher, **QUICK).fit(X, Y)


def test_a_teacher_of_other_names_is_refused():
    frame = load_wine(as_frame=True).data
    teacher = GaussianNB().fit(frame.rename(columns={"hue": "shade"}), Y)
    with pytest.raises(ValueError, match="the data lacks 'shade'"):
        DistilledTreeClassifier(teacher, **QUICK).fit(frame, Y)


def test_classes_that_only_the_teacher_knows_are_left_out():
    few = Y < 2
    clf = DistilledTreeClassifier(RandomForestClassifier(20, random_state=0).fit(X, Y), **QUICK).fit(X[few], Y[few])
    assert clf.classes_.tolist() == [0, 1] and clf.score(X[few], Y[few]) > 0.9


# -- few rows, few classes ----------------------------------------------------------------------


def test_two_rows():
    clf = DistilledTreeClassifier(**QUICK).fit([[0.0], [1.0]], ["a", "b"])
    assert clf.predict([[0.0], [1.0]]).tolist() == ["a", "b"]


def test_one_class_and_one_row():
    assert DistilledTreeClassifier().fit(X[:9], ["a"] * 9).predict(X[:1]).tolist() == ["a"]
    clf = DistilledTreeClassifier().fit([[1.0]], ["a"])
    assert clf.tree_.n_leaves == 1 and clf.fidelity_ == 1.0
    assert clf.explain_choice().startswith("1 leaf")


def test_constant_columns_give_one_leaf():
    clf = DistilledTreeClassifier(**QUICK).fit(np.ones((20, 2)), [0, 1] * 10)
    assert clf.tree_.n_leaves == 1


def test_declared_classes_without_rows_stay():
    table = mixed_table(0, 60)
    wider = Table(
        table.columns,
        [table.column(i) for i in range(3)],
        target=Column("class", ("no", "yes", "never")),
        y=table.y,
    )
    clf = DistilledTreeClassifier(**QUICK).fit(wider)
    assert clf.classes_.tolist() == ["no", "yes", "never"]
    assert clf.predict_proba(wider)[:, 2].max() == 0


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"tests": "planes"}, "tests must be one of 'axis', 'sparse', 'linear', got 'planes'"),
        ({"max_terms": 0}, "max_terms must be a whole number of at least 1, got 0"),
        ({"max_leaves": 1}, "max_leaves must be a whole number between 2 and 10000 or None, got 1"),
        ({"selection": "best"}, "selection must be one of 'srm', 'half_se', 'one_se', got 'best'"),
        ({"selection": 9, "max_leaves": 8}, "selection must be a whole number between 2 and 8, got 9"),
        ({"n_synthetic": -1}, "n_synthetic must be a whole number of at least 0 or None, got -1"),
        ({"cv": 1}, "cv must be a whole number of at least 2, got 1"),
    ],
)
def test_bad_parameters_are_named(params, message):
    with pytest.raises(ValueError, match=message):
        DistilledTreeClassifier(**params).fit(X, Y)


@pytest.mark.parametrize("progress", ["abc", 3])
def test_progress_is_a_function_or_a_flag(progress):
    with pytest.raises(TypeError, match=f"progress must be True or False, got {progress!r}"):
        DistilledTreeClassifier(progress=progress).fit(X, Y)


def test_a_teacher_that_is_not_there_yet_is_not_asked():
    with pytest.raises(NotFittedError, match="not fitted yet"):
        DistilledTreeClassifier().teacher_codes(mixed_table(0, 20))


def test_no_synthetic_rows_will_do():
    assert DistilledTreeClassifier(n_synthetic=0, cv=3, random_state=0).fit(X, Y).score(X, Y) > 0.85


def test_fewer_leaves_than_asked_for_are_said_to_be_so():
    clf = DistilledTreeClassifier(selection=60, **QUICK).fit(*load_iris(return_X_y=True))
    assert clf.n_leaves_ < 60
    assert f"{clf.n_leaves_} rules: the largest size that was found within the 60 leaves asked" in clf.explain_choice()


@pytest.mark.parametrize(("n_classes", "most"), [(3, None), (4, 3)])
def test_the_choice_says_where_the_number_of_classes_decided(n_classes, most):
    rng = np.random.default_rng(0)
    y = rng.integers(n_classes, size=240)
    cells = np.column_stack([(y == 0) + 0.1 * rng.normal(size=240), rng.normal(size=240)])
    teacher = ForestClassifier(random_state=0)
    clf = DistilledTreeClassifier(teacher, selection="one_se", max_leaves=most, **QUICK).fit(cells, y)
    words = clf.explain_choice()
    assert clf.n_leaves_ >= 3 and "Sizes below 3 were left out." in words  # of four classes as many as were allowed
    assert "At least 3 classes have a tenth of the rows or more, so trees with fewer leaves were left out." in words


def test_votes_for_other_rows_are_not_taken_for_those_at_hand():
    """A forest that was fitted to one half has as many votes as the other half has rows."""
    cells, y = make_classification(400, 5, n_informative=3, n_redundant=0, random_state=0)
    forest = RandomForestClassifier(60, oob_score=True, random_state=0).fit(cells[:200], y[:200])
    here = DistilledTreeClassifier(forest, selection=4, **QUICK).fit(cells[:200], y[:200])
    assert np.array_equal(here._teacher.unseen, forest.oob_decision_function_)
    there = DistilledTreeClassifier(forest, selection=4, **QUICK).fit(cells[200:], y[200:])
    right = (np.argmax(there._teacher.unseen, axis=1) == y[200:]).mean()
    assert right > 0.8  # copies that were fitted to four fifths of these rows; the votes for others have one half


def test_a_teacher_speaks_of_rows_and_classes_as_the_user_has_them():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=120), "k": rng.choice(list("uvw"), 120)})
    y = np.where(frame.a + (frame.k == "u") > 0, "yes", "no")
    numbers = DistilledTreeClassifier(LogisticRegression(), selection=3, **QUICK).fit(frame[["a"]], y)
    assert numbers.teacher_.classes_.tolist() == ["no", "yes"] and numbers.teacher_.feature_names_in_.tolist() == ["a"]
    agree = (numbers.teacher_.predict(frame[["a"]]) == numbers.predict(frame[["a"]])).mean()
    assert agree == pytest.approx(numbers.fidelity_)
    columns = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["k"]), remainder="passthrough")
    pipeline = make_pipeline(columns, LogisticRegression())
    for teacher in (pipeline, clone(pipeline).fit(frame, y)):
        clf = DistilledTreeClassifier(teacher, selection=4, **QUICK).fit(frame, y)
        agree = (clf.teacher_.predict(frame) == clf.predict(frame)).mean()
        assert agree == pytest.approx(clf.fidelity_) and agree > 0.8
