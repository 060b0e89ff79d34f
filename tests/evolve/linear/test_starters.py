"""First trees from logistic regressions: an easy plane is never missed, and no limit is broken."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.linear_model import LogisticRegression

from clearwood import Column, LinearTreeClassifier, Table
from clearwood.evolve.linear.scaling import scale
from clearwood.evolve.linear.search import LinearSearch, Settings
from clearwood.evolve.linear.starters import logistic_stumps

QUICK = {"generations": 30, "population_size": 40, "progress": False}


def rare_side(seed, share=0.05):
    """Rows on two sides of a plane through twenty features, few of them on one side."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(1000, 20))
    sums = X @ rng.normal(size=20)
    return X, (sums > np.quantile(sums, 1 - share)).astype(int)


@pytest.mark.parametrize("seed", range(4))
def test_a_plane_that_parts_a_rare_class_without_errors_is_found(seed):
    X, y = rare_side(seed)
    clf = LinearTreeClassifier(random_state=seed, **QUICK).fit(X, y)
    assert clf.tree_.n_leaves == 2
    assert clf.score(X, y) >= 0.998
    assert clf.fitness_ >= 0.985  # one leaf has 0.95


def first_fitness(table, stumps=None):
    """The fitness of the best first tree: of the whole population, or of these trees."""
    defaults = LinearTreeClassifier(first_trees="dipolar").get_params()
    settings = Settings(**{name: defaults[name] for name in Settings.__slots__} | {"min_leaf": 5.0})
    search = LinearSearch(settings, scale(table), 0)
    search.advance()
    if stumps is None:
        return search.population.best.fitness
    found = []
    for stump in stumps:
        search.population.set_tests(0, stump)
        found.append(search.population.trees[0].fitness)
    return max(found)


def table_of(X, y):
    classes = tuple(f"class {code}" for code in range(int(y.max()) + 1))
    return Table([Column(f"x{i}") for i in range(X.shape[1])], list(X.T), target=Column("class", classes), y=y)


def wisconsin():
    return table_of(*load_breast_cancer(return_X_y=True))


@pytest.mark.parametrize("name", ["breast cancer", "one rare class", "noise and a plane", "wine", "iris"])
def test_no_result_is_less_fit_than_the_stump_of_a_logistic_regression(name):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(400, 6))
    table = table_of(
        *{
            "breast cancer": load_breast_cancer(return_X_y=True),
            "one rare class": rare_side(0),
            "noise and a plane": (
                x,
                np.where(rng.random(400) < 0.2, rng.integers(2, size=400), x.sum(axis=1) > 0).astype(int),
            ),
            "wine": load_wine(return_X_y=True),
            "iris": load_iris(return_X_y=True),
        }[name]
    )
    scaled = scale(table)
    stumps = logistic_stumps(scaled, 100, 5.0)
    best = first_fitness(table, stumps)
    if name == "breast cancer":
        assert best > first_fitness(table)  # than all random first trees
    for seed in range(3):
        assert LinearTreeClassifier(random_state=seed, min_leaf=5, **QUICK).fit(table).fitness_ >= best - 1e-9
    if len(table.classes) > 2:
        return
    x = scaled.data.cells()[0].T.astype(float)
    plain = LogisticRegression(C=1.0, max_iter=300).fit(x, scaled.y)
    right = [np.mean((x @ stump["weights"][0] <= stump["threshold"][0]) == (scaled.y == 0)) for stump in stumps]
    assert max(max(right), 1 - min(right)) >= plain.score(x, scaled.y)


@pytest.mark.parametrize("most", [1, 3, 7])
def test_planes_have_no_more_weights_than_allowed_and_sides_no_fewer_rows(most):
    table = wisconsin()
    scaled = scale(table)
    stumps = logistic_stumps(scaled, most, 40)
    assert stumps
    for stump in stumps:
        weights = stump["weights"][0]
        assert 1 <= np.count_nonzero(weights) <= most
        assert np.abs(weights).max() == 1
        left = int(np.sum(weights @ scaled.data.cells()[0] <= stump["threshold"][0]))
        assert 40 <= left <= table.n_rows - 40
    clf = LinearTreeClassifier(max_terms=most, random_state=0, **QUICK).fit(table)
    assert max(len(condition.plane.weights) if condition.plane else 1 for condition in _tests(clf.tree_)) <= most


def _tests(tree):
    return [tree.condition(node, 0) for node in range(tree.n_nodes) if not tree.is_leaf(node)]


def test_columns_that_are_constant_missing_or_nominal_are_no_obstacle():
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    y = (x > 0.3).astype(int)
    columns = [Column("x"), Column("same"), Column("absent"), Column("sky", ("sun", "fog"))]
    holes = np.where(rng.random(200) < 0.1, np.nan, x)
    table = Table(
        columns, [holes, np.ones(200), np.full(200, np.nan), rng.integers(2, size=200)],
        target=Column("class", ("no", "yes")), y=y,
    )  # fmt: skip
    clf = LinearTreeClassifier(tests="mixed", random_state=0, **QUICK).fit(table)
    assert clf.tree_.features == ("x",)
    only_nominal = table.select(["sky"])
    assert logistic_stumps(scale(only_nominal), 5, 5) == []
    LinearTreeClassifier(tests="mixed", random_state=0, **QUICK).fit(only_nominal)


def test_the_first_trees_of_the_paper_can_be_had():
    X, y = rare_side(1)
    paper = LinearTreeClassifier(first_trees="dipolar", random_state=1, **QUICK).fit(X, y)
    assert paper.fitness_ < LinearTreeClassifier(random_state=1, **QUICK).fit(X, y).fitness_
    with pytest.raises(ValueError, match="first_trees must be one of 'logistic', 'dipolar'"):
        LinearTreeClassifier(first_trees="random").fit(X, y)
