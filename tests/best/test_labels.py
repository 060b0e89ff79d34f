"""Leaves that say what costs least, the same in every form of the tree."""

import duckdb
import numpy as np
import pytest

import clearwood as cw
from clearwood.best.labels import labelled, least_cost, recounted
from clearwood.routing import Routing

CLASSES = ("a", "b", "c")


def table_with_gaps(seed=0, n=300):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(2, n))
    x[:, rng.random(n) < 0.2] = np.nan
    colour = rng.integers(-1, 3, size=n)
    y = np.where(rng.random(n) < 0.3, rng.integers(3, size=n), np.nan_to_num(x[0]) > 0)
    columns = [cw.Column("x"), cw.Column("z"), cw.Column("colour", ("red", "green", "blue"))]
    return cw.Table(columns, [*x, colour], target=cw.Column("class", CLASSES), y=y.astype(int), name="gaps")


def random_costs(rng):
    return rng.uniform(0.1, 10, size=(3, 3)) * (1 - np.eye(3))


def expected(tree, table):
    """Brute force: the class of least expected cost by the tree's own unsmoothed probabilities."""
    chances = Routing(tree).probabilities(table, smooth=False)
    return np.argmin(np.round(chances @ tree.costs, 7), axis=1)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("learner", [cw.C45Classifier(prune=False), cw.CARTClassifier(random_state=0, max_leaves=9)])
def test_a_tree_with_costs_says_what_costs_least(seed, learner):
    table = table_with_gaps(seed)
    tree = learner.fit(table).tree_.with_costs(random_costs(np.random.default_rng(seed)))
    assert (tree.predict(table) == expected(tree, table)).all()
    dear = learner.tree_.with_costs([[0, 1, 1], [1, 0, 1], [50, 50, 0]])
    assert (dear.predict(table) == 2).sum() > (learner.tree_.predict(table) == 2).sum()
    assert np.array_equal(tree.predict_proba(table), learner.tree_.predict_proba(table))


@pytest.mark.parametrize("seed", range(3))
def test_json_sql_rules_and_text_give_the_same_labels(seed):
    table = table_with_gaps(seed)
    costs = random_costs(np.random.default_rng(seed))
    tree = cw.CARTClassifier(pruning=None, max_leaves=6).fit(table).tree_.with_costs(costs)
    again = cw.Tree.from_json(tree.to_json())
    assert again == tree and (again.predict(table) == tree.predict(table)).all()
    assert tree != tree.with_costs(None) and '"version": 4' in tree.to_json()
    said = {rule.leaf: rule.prediction for rule in tree.rules()}
    assert all(CLASSES[tree.leaf_class[leaf]] == label for leaf, label in said.items())
    assert "labels that cost least" in tree.to_text()
    rows = _frame(table)
    database = duckdb.connect()
    database.register("rows", rows)
    found = database.execute(f"SELECT * FROM ({tree.to_sql('rows', 'duckdb')}) ORDER BY number").df()
    assert found["predicted"].tolist() == [CLASSES[c] for c in tree.predict(table)]
    database.execute("CREATE TABLE few AS SELECT * FROM rows WHERE number < 20")
    found = database.execute(f"SELECT number FROM few WHERE {tree.where_class('c', 'duckdb')}").df()
    assert sorted(found["number"]) == np.flatnonzero(tree.predict(table)[:20] == 2).tolist()


def _frame(table):
    import pandas as pd

    colour = pd.Categorical.from_codes(table.column("colour"), ["red", "green", "blue"]).astype(object)
    return pd.DataFrame(
        {"x": table.column("x"), "z": table.column("z"), "colour": colour, "number": np.arange(table.n_rows)}
    )


def test_the_path_of_a_row_ends_in_the_same_class():
    table = table_with_gaps(1)
    tree = cw.C45Classifier().fit(table).tree_.with_costs(random_costs(np.random.default_rng(1)))
    for row in range(40):
        said = CLASSES[tree.predict(table.take([row]))[0]]
        assert f"class is {said}, which costs least" in tree.explain(table, row)


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        (np.zeros((3, 3)), "some error must cost"),
        (np.eye(3), "least for the true class"),
        (np.ones((2, 2)), "3 rows and columns"),
        (np.full((3, 3), np.nan), "finite"),
    ],
)
def test_costs_that_make_no_sense_are_refused(costs, words):
    with pytest.raises(ValueError, match=words):
        cw.C45Classifier().fit(table_with_gaps()).tree_.with_costs(costs)


def test_forged_costs_are_refused():
    tree = cw.C45Classifier().fit(table_with_gaps()).tree_.with_costs(1 - np.eye(3))
    text = tree.to_json()
    for wrong in ('"costs": [[0, 1]]', '"costs": 3', '"costs": [[0, 1, 2], [1, 0, 1], [1, 1, "x"]]'):
        start, end = text.index('"costs"'), text.index('"counts"')
        with pytest.raises(ValueError, match="costs"):
            cw.Tree.from_json(text[:start] + wrong + ",\n" + text[end:])
    with pytest.raises(ValueError, match="version 3 does not know"):
        cw.Tree.from_json(text.replace('"version": 4', '"version": 3'))


@pytest.mark.parametrize("seed", range(4))
def test_counting_the_same_rows_anew_changes_nothing(seed):
    table = table_with_gaps(seed)
    tree = cw.C45Classifier().fit(table).tree_
    again = recounted(tree, table)
    assert np.allclose(again.counts, tree.counts)
    assert np.allclose(again.predict_proba(table), tree.predict_proba(table))


def test_rows_that_were_grown_weighted_are_counted_unweighted():
    table = table_with_gaps(2)
    weighted = table.with_weights(np.where(table.y == 2, 5.0, 1.0))
    tree = labelled(cw.C45Classifier().fit(weighted).tree_, table, table, 5.0 * (1 - np.eye(3)))
    assert tree.counts[0].sum() == pytest.approx(table.n_rows)
    plain = 1.0 - np.eye(3)
    grown = cw.C45Classifier().fit(table).tree_
    assert labelled(grown, table, table, plain) is grown


def test_least_cost_is_the_least():
    rng = np.random.default_rng(0)
    chances, costs = rng.dirichlet(np.ones(3), size=200), random_costs(rng)
    assert (least_cost(chances, costs) == np.argmin(chances @ costs, axis=1)).all()
