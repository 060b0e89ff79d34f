"""Fronts: order, what dominates, the hypervolume, and joining what several learners have found."""

import numpy as np
import pytest
from sample_fronts import entry, front
from sklearn.datasets import load_wine

from clearwood import C45Classifier, CARTClassifier, Column, Front, Table, join_fronts, variable_node_c45
from clearwood.evaluate.fronts import error_on, hypervolume


def wine():
    bunch = load_wine()
    classes = tuple(bunch.target_names.tolist())
    return Table([Column(n) for n in bunch.feature_names], bunch.data.T, target=Column("w", classes), y=bunch.target)


def test_entries_are_in_order_of_size_and_errors_of_folds_follow_them():
    mixed = Front([entry(5, 0.1), entry(2, 0.4), entry(5, 0.05)], [[1.0, 2.0, 3.0]])
    assert [(e.n_leaves, e.training_error) for e in mixed] == [(2, 0.4), (5, 0.05), (5, 0.1)]
    assert mixed.fold_errors.tolist() == [[2.0, 3.0, 1.0]]
    assert mixed.sizes == (2, 5) and mixed.of_size(5).training_error == 0.05 and len(mixed[1:]) == 2
    with pytest.raises(ValueError, match="no tree has 3 leaves; there are trees of 2, 5 leaves"):
        mixed.of_size(3)


def test_pareto_keeps_what_is_better_than_all_smaller_ones():
    assert front([0.4, 0.2, 0.2, 0.3, 0.1]).pareto().sizes == (2, 3, 6)


def test_hypervolume_against_a_grid():
    rng = np.random.default_rng(0)
    for _ in range(20):
        errors = {int(k): float(rng.random() * 0.5) for k in rng.choice(np.arange(2, 10), 4, replace=False)}
        cells = [
            any(size <= k and error <= height for size, error in errors.items())
            for k in range(2, 10)
            for height in (np.arange(2000) + 0.5) / 2000 * 0.5
        ]
        assert hypervolume(errors, 9, 0.5) == pytest.approx(np.mean(cells), abs=1e-3)
    assert front([0.5, 0.25]).hypervolume() == pytest.approx(0.25)  # half of the rows are in one class


def test_joined_fronts_say_what_each_entry_comes_from():
    table = wine()
    c45, cart = C45Classifier().fit(table), CARTClassifier(random_state=0).fit(table)
    joined = join_fronts(variable_node_c45(table), c45, [cart, cart.tree_])
    assert {e.learner for e in joined} == {"variable-node C4.5", "C4.5", "CART"}
    own = next(e for e in joined if e.learner == "C4.5")
    assert own.training_error == pytest.approx((c45.tree_.predict(table) != table.y).mean())
    part = table.take(np.arange(0, 178, 3))
    judged = join_fronts(c45, cart, table=part, names=["one", "two"])
    assert {e.learner: e.training_error for e in judged} == {
        "one": error_on(c45.tree_, part),
        "two": error_on(cart.tree_, part),
    }
    assert len(joined.to_rows()) == len(joined) and joined.to_rows()[0]["n_leaves"] == joined[0].n_leaves


@pytest.mark.parametrize("bad", [3, "c45", None])
def test_what_has_no_tree_cannot_be_joined(bad):
    with pytest.raises(TypeError, match="join_fronts takes"):
        join_fronts(bad)
    with pytest.raises(ValueError, match="at least one"):
        join_fronts()
    with pytest.raises(ValueError, match="names must name each"):
        join_fronts(front([0.1]), names=["a", "b"])


def test_the_error_of_a_tree_whose_classes_lie_otherwise():
    table = wine()
    tree = C45Classifier().fit(table).tree_
    turned = Table(table.columns, table.numeric, target=Column("w", table.classes[::-1]), y=2 - table.y)
    assert error_on(tree, turned) == error_on(tree, table)
