import warnings

import numpy as np
import pytest
from sample_study import blobs
from sklearn.ensemble import BaggingClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import clearwood as cw
from clearwood.evaluate import evaluate
from clearwood.evaluate.fold import run_fold, seeded, wants_seed, with_known_class
from clearwood.table import Column, Table


def test_a_fold_says_what_was_predicted_and_how_large_the_tree_is():
    table = blobs()
    train, tests = table.take(np.arange(40)), table.take(np.arange(40, 60))
    model, predicted, sizes, seconds = run_fold(cw.C45Classifier(), train, tests)
    tree = cw.C45Classifier().fit(train).tree_
    assert predicted.tolist() == tree.predict(tests).tolist() and model.fitted.tree_ == tree
    assert (sizes["leaves"], sizes["features"]) == (tree.n_leaves, len(tree.features)) and seconds > 0


def test_a_fold_without_weight_is_refused():
    table = blobs()
    none = table.with_weights(np.zeros(60))
    for train, tests in ((none, table), (table, none)):
        with pytest.raises(ValueError, match="a fold holds only rows of weight 0"):
            run_fold(cw.C45Classifier(), train, tests)


def test_rows_without_a_class_are_left_out_with_one_warning_at_the_callers_line():
    table = Table([Column("x")], [[1.0, 2.0, 3.0]], target=Column("c", ("a", "b")), y=[0, -1, 1])
    with pytest.warns(UserWarning, match=r"^iris: 1 of 3 rows have no class and are left out\.$") as caught:
        known = with_known_class(table, "iris")
    assert known.numeric.tolist() == [[1.0, 3.0]] and caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert with_known_class(known) is known
    with pytest.raises(ValueError, match=r"^the table has no class to predict"):
        with_known_class(table.with_target(None))


def test_every_seed_that_is_unset_is_set_in_a_copy():
    nested = BaggingClassifier(DecisionTreeClassifier(), random_state=7)
    twin = seeded(nested, 3)
    assert (twin.random_state, twin.estimator.random_state) == (7, 3)
    assert nested.estimator.random_state is None and wants_seed(nested) and not wants_seed(twin)
    assert not wants_seed(GaussianNB())
    search = seeded(cw.SetGenClassifier(random_state=1), 3)  # a bar inside a cross-validation would be noise
    assert (search.random_state, search.progress) == (1, False)
    assert not wants_seed(cw.SetGenClassifier(random_state=1))


def test_a_nested_seed_is_fixed_by_the_evaluations_own():
    learner = cw.ISMClassifier(cw.BaggedTreesClassifier(n_estimators=3))
    one, two = (evaluate(learner, blobs(), cv=3, repeats=1, random_state=5) for _ in range(2))
    assert np.array_equal(one.accuracy, two.accuracy) and np.array_equal(one.nodes, two.nodes)


def test_the_tests_may_be_asked_for_without_their_classes():
    table = blobs()
    train, tests = table.take(np.arange(40)), table.take(np.arange(40, 60))
    learner = seeded(cw.ISMClassifier(unlabelled="tests", estimate="data"), 1)
    found = run_fold(learner, train, tests)
    same = cw.ISMClassifier(unlabelled=tests.with_target(None), estimate="data", random_state=1).fit(train)
    assert found.model.fitted.tree_ == same.tree_
    assert learner.unlabelled.target is None


def test_evaluate_and_compare_judge_a_fold_alike():
    """The folds and seeds differ, so the same fold is given to both by hand."""
    table = blobs(missing=True)
    for learner in (cw.CARTClassifier(), DecisionTreeClassifier(), GaussianNB()):
        judged = evaluate(learner, table, cv=4, repeats=1, random_state=2)
        from clearwood.evaluate import fold_numbers

        folds = fold_numbers(table.y, 4, np.random.default_rng(2))
        rng = np.random.default_rng(2)
        fold_numbers(table.y, 4, rng)
        for fold in range(4):
            seed = int(rng.integers(2**31)) if wants_seed(learner) else 0
            tests = table.take(folds == fold)
            _, predicted, sizes, _ = run_fold(seeded(learner, seed), table.take(folds != fold), tests)
            assert judged.accuracy[fold] == pytest.approx((predicted == tests.y).mean())
            assert np.array_equal(judged.nodes[fold], sizes["nodes"], equal_nan=True)


def test_a_pipeline_of_ours_is_fitted_to_the_table():
    table = blobs()
    piped = run_fold(make_pipeline(cw.C45Classifier()), table, table)
    assert piped.predicted.tolist() == run_fold(cw.C45Classifier(), table, table).predicted.tolist()
