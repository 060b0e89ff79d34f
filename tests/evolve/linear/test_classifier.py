"""Linear trees: what they find, in whose units, with what data, and that no worker or interruption changes them."""

from itertools import pairwise

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import PredefinedSplit

from clearwood import Column, LinearTreeClassifier, Table, Tree, artificial
from clearwood.conditions import Kind
from clearwood.evolve.linear import search as search_module
from clearwood.evolve.linear.islands import IslandSearch
from clearwood.evolve.linear.leaf_price import PRICES, LeafPriceSearch, priced
from clearwood.evolve.linear.scaling import scale
from clearwood.evolve.linear.search import LinearSearch, Settings
from clearwood.studies.gdt.sets import zero_noise_share

SHORT = {"generations": 120, "population_size": 40, "random_state": 0}


def accuracy(clf, table):
    return float(np.mean(clf.tree_.predict(table) == table.y))


def numbers(columns, y, classes=("a", "b")):
    names = [Column(f"x{i + 1}") for i in range(len(columns))]
    return Table(names, columns, target=Column("class", classes), y=y)


@pytest.mark.parametrize(
    ("name", "noise", "leaves", "least"),
    [
        ("chess2", 0, 4, 0.974),
        ("zebra1", 0.5, 4, 0.975),
        ("ls2", 1, 2, 0.985),
        ("ls5", 0, 2, 0.975),
        ("ls5", 1, 2, 0.97),
    ],
)
def test_known_borders_are_found_with_the_fewest_leaves(name, noise, leaves, least):
    train = artificial.make(name, noise=noise, random_state=1)
    clf = LinearTreeClassifier(generations=1000, random_state=0).fit(train)
    assert clf.tree_.n_leaves == leaves
    assert accuracy(clf, artificial.make(name, 5000, noise=noise, random_state=2)) >= least
    if noise:
        assert zero_noise_share(clf.tree_) >= 0.6


def test_the_two_planes_of_the_notes_take_three_leaves():
    clf = LinearTreeClassifier(generations=600, random_state=0).fit(artificial.two_planes(random_state=0))
    assert clf.tree_.n_leaves == 3
    assert accuracy(clf, artificial.two_planes(5000, random_state=1)) > 0.97
    assert set(clf.tree_.kind) == {Kind.LEAF, Kind.LINEAR}


@pytest.fixture
def many_threads(monkeypatch):
    """All threads that are asked for work, however many cores there are and however short a generation is."""
    monkeypatch.setattr(search_module, "cores", lambda: 64)
    monkeypatch.setattr(search_module, "WORTH_A_THREAD", 1e-9)
    monkeypatch.setattr(search_module, "SLOWER", float("inf"))


@pytest.mark.usefixtures("many_threads")
@pytest.mark.parametrize("tests", ["linear", "mixed"])
def test_the_number_of_threads_does_not_change_the_tree(tests):
    table = artificial.zebra1(noise=0.5, random_state=0)
    one = LinearTreeClassifier(**SHORT, tests=tests, n_jobs=1).fit(table)
    for n_jobs in (2, 3, 7, 50):
        other = LinearTreeClassifier(**SHORT, tests=tests, n_jobs=n_jobs).fit(table)
        assert other.tree_ == one.tree_
        assert other.history_ == one.history_


def begun_search(n_jobs, **changes):
    params = LinearTreeClassifier(**SHORT | changes).get_params()
    settings = Settings(**{name: params[name] for name in Settings.__slots__} | {"min_leaf": 5.0})
    search = LinearSearch(settings, scale(artificial.zebra1(noise=0.5, random_state=0)), 1, n_jobs)
    search.advance()
    return search


@pytest.mark.usefixtures("many_threads")
def test_threads_stay_from_one_step_to_the_next_and_leave_when_none_comes():
    whole, search = begun_search(1), begun_search(3)
    teams = []
    for _ in range(8):
        search.advance()
        teams.append(search._team)
    assert len(set(teams)) < 6  # one, unless the machine stood still for a while
    assert len(search._followers) == 2
    for follower in search._followers:
        assert follower.result(30) is None  # nobody has told them to go
    while not search.finished:  # others come
        search.advance()
    for follower in search._followers:
        follower.result(30)
    while not whole.finished:
        whole.advance()
    assert search.best_fitness == whole.best_fitness
    assert search.row() == whole.row() and search.n_evaluated == whole.n_evaluated


@pytest.mark.usefixtures("many_threads")
def test_an_error_of_a_thread_that_follows_is_raised(monkeypatch):
    search = begun_search(3)

    def fails(population, team, number):
        raise MemoryError("no room")

    monkeypatch.setattr(search_module, "_follow", fails)
    with pytest.raises(MemoryError, match="no room"):
        search.advance()


def test_short_generations_are_left_to_one_thread(monkeypatch):
    monkeypatch.setattr(search_module, "WORTH_A_THREAD", 1e9)
    search = begun_search(2)
    while not search.finished:
        search.advance()
    assert search._followers == []


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path):
    table = artificial.chess2(400, random_state=0)
    whole = LinearTreeClassifier(**SHORT).fit(table)
    clf = LinearTreeClassifier(**SHORT, checkpoint=tmp_path / "run.npz")

    def stop(done, total, row):
        if done == 60:
            raise KeyboardInterrupt

    with pytest.warns(UserWarning, match="interrupted after 60"):
        half = clone(clf).set_params(progress=stop).fit(table)
    assert half.interrupted_
    assert half.tree_.n_leaves > 1
    resumed = clone(clf).fit(table)
    assert not resumed.interrupted_
    assert resumed.tree_ == whole.tree_
    assert resumed.history_["best_fitness"][-1] == whole.history_["best_fitness"][-1]
    with pytest.raises(ValueError, match="other data or other settings"):
        clone(clf).set_params(alpha=0.1).fit(table)


def test_history_tells_how_the_search_went():
    clf = LinearTreeClassifier(**SHORT).fit(artificial.ls5(300, random_state=0))
    history = clf.history_
    assert history["generation"].tolist() == list(range(10, 121, 10))
    assert (np.diff(history["best_fitness"]) >= 0).all()
    assert history["best_fitness"][-1] == clf.fitness_
    assert (history["gains"] <= history["mutations"]).all()
    for name in ("mutations", "gains"):  # one node of a tree is changed
        assert np.array_equal(history[name], history[f"node_{name}"])
    assert 0.35 < history["mutations"].sum() / (120 * 40) < 0.55  # half of the trees, save those that cannot change
    assert clf.plot_history().get_xlabel() == "generation"


def test_mutation_of_nodes_becomes_rare_as_trees_become_small_and_that_of_trees_does_not():
    table = artificial.ls5(random_state=0)
    runs = {
        mutation: LinearTreeClassifier(
            mutation=mutation, mutation_rate=rate, generations=300, patience=300, random_state=0
        ).fit(table)
        for mutation, rate in (("nodes", 0.05), ("tree", 0.5))
    }
    nodes = runs["nodes"].history_
    assert (nodes["gains"] <= nodes["mutations"]).all() and (nodes["node_gains"] <= nodes["node_mutations"]).all()
    assert (nodes["mutations"] <= nodes["node_mutations"]).all()
    assert nodes["mutations"].sum() < nodes["node_mutations"].sum()  # some trees had several nodes changed
    late = {name: clf.history_["node_mutations"][-10:].mean() for name, clf in runs.items()}
    early = {name: clf.history_["node_mutations"][:3].mean() for name, clf in runs.items()}
    assert late["nodes"] < 0.6 * early["nodes"]
    assert late["tree"] > 0.8 * early["tree"]


def test_the_search_stops_when_nothing_gets_better():
    clf = LinearTreeClassifier(patience=20, random_state=0).fit(artificial.ls2(200, random_state=0))
    assert clf.history_["generation"][-1] < 1000


def test_fitness_is_the_accuracy_less_the_price_of_leaves_and_weights():
    table = artificial.zebra1(500, random_state=3)
    clf = LinearTreeClassifier(**SHORT, alpha=0.01, beta=0.4).fit(table)
    tree = clf.tree_
    tests = [len(tree.tested(node)) for node in range(tree.n_nodes) if tree.kind[node] != Kind.LEAF]
    complexity = tree.n_leaves + sum(0.6 + 0.4 * used / table.n_features for used in tests)
    assert clf.fitness_ == pytest.approx(accuracy(clf, table) - 0.01 * (complexity - 1))


def test_alpha_buys_smaller_trees():
    table = artificial.zebra3(random_state=0)
    small, large = (LinearTreeClassifier(**SHORT, alpha=a).fit(table).tree_.n_leaves for a in (0.05, 0.001))
    assert small < large
    assert LinearTreeClassifier(**SHORT, max_leaves=3, alpha=0).fit(table).tree_.n_leaves <= 3


def test_weights_are_in_the_users_units_and_short():
    rng = np.random.default_rng(0)
    width, mass = rng.uniform(0, 3, 400), rng.uniform(1000, 5000, 400)
    table = numbers([width, mass], (1000 * width + mass > 4500).astype(int))
    clf = LinearTreeClassifier(generations=400, random_state=0).fit(table)
    plane = clf.tree_.plane(0)
    ratio = plane.weights[plane.features.index(0)] / plane.weights[plane.features.index(1)]
    assert 900 < ratio < 1100
    assert accuracy(clf, table) > 0.985
    assert all(len(f"{weight:.17g}".lstrip("0.-").replace(".", "")) <= 7 for weight in plane.weights)
    assert Tree.from_json(clf.tree_.to_json()) == clf.tree_


def mixed_table(n_rows=400, seed=0, gaps=0.1):
    rng = np.random.default_rng(seed)
    colour = rng.integers(0, 4, n_rows)
    x = rng.random((2, n_rows))
    y = np.where(np.isin(colour, (0, 2)), x[0] + x[1] > 1, colour == 1).astype(int)
    colour = np.where(rng.random(n_rows) < gaps, -1, colour)
    x[rng.random(x.shape) < gaps] = np.nan
    columns = [Column("x1"), Column("colour", ("red", "green", "blue", "grey")), Column("x2")]
    return Table(columns, [x[0], colour, x[1]], target=Column("class", ("a", "b")), y=y)


def test_mixed_trees_have_planes_and_sets_of_values_and_know_missing_cells():
    table = mixed_table(gaps=0)
    clf = LinearTreeClassifier(generations=800, population_size=60, tests="mixed", random_state=0).fit(table)
    assert accuracy(clf, mixed_table(3000, 1, gaps=0)) > 0.95
    assert {Kind.SUBSET, Kind.LINEAR} <= set(clf.tree_.kind)
    gappy = mixed_table()
    clf = LinearTreeClassifier(**SHORT, tests="mixed").fit(gappy)
    assert accuracy(clf, mixed_table(3000, 1)) > 0.7
    assert (clf.tree_.apply(gappy) >= 0).all()  # rows that lack a cell follow one branch, as they did in the search
    assert clf.fitness_ <= accuracy(clf, gappy)


def test_univariate_trees_have_no_planes():
    clf = LinearTreeClassifier(**SHORT, tests="univariate").fit(mixed_table(gaps=0))
    assert set(clf.tree_.kind) <= {Kind.LEAF, Kind.THRESHOLD, Kind.SUBSET}
    assert clf.tree_.n_leaves > 2


def test_weights_of_rows_count():
    table = numbers([np.r_[np.zeros(30), np.ones(30)]], np.r_[np.zeros(30), np.ones(20), np.zeros(10)].astype(int))
    assert LinearTreeClassifier(**SHORT).fit(table).tree_.n_leaves == 2
    heavy = table.with_weights(np.where(table.y == 1, 0.1, 1.0))
    assert LinearTreeClassifier(**SHORT).fit(heavy).tree_.n_leaves == 1


# -- bad input --------------------------------------------------------------------------------------


def test_all_nominal_data_name_the_mixed_trees():
    table = mixed_table().select(["colour"])
    with pytest.raises(ValueError, match="pass tests='mixed'"):
        LinearTreeClassifier().fit(table)
    with pytest.warns(UserWarning, match="'colour'"):
        clf = LinearTreeClassifier(**SHORT).fit(mixed_table())
    assert "colour" not in clf.tree_.features
    assert LinearTreeClassifier(**SHORT, tests="mixed").fit(table).tree_.features == ("colour",)


def test_columns_that_tell_nothing_and_columns_told_twice():
    rng = np.random.default_rng(0)
    x = rng.random(300)
    table = numbers([np.full(300, 7.0), x, x, np.full(300, np.nan)], (x > 0.4).astype(int))
    clf = LinearTreeClassifier(**SHORT).fit(table)
    assert accuracy(clf, table) > 0.99
    assert set(clf.tree_.features) <= {"x2", "x3"}
    nothing = numbers([np.full(20, 7.0)], np.arange(20) % 2)
    assert LinearTreeClassifier(**SHORT).fit(nothing).tree_.n_leaves == 1


@pytest.mark.parametrize("units", [(1e-9, 1e12), (1e-300, 1e300), (1.0, 1.0)])
def test_any_units_give_the_same_predictions(units):
    table = artificial.ls2(400, random_state=0)
    clf = LinearTreeClassifier(**SHORT).fit(table)
    other = numbers([table.numeric[0] * units[0], table.numeric[1] * units[1]], table.y)
    fitted = LinearTreeClassifier(**SHORT).fit(other)
    assert np.mean(fitted.tree_.predict(other) == clf.tree_.predict(table)) > 0.98
    assert fitted.fitness_ == pytest.approx(clf.fitness_, abs=0.01)


def test_huge_values_and_outliers_do_not_drown_the_others():
    table = artificial.ls2(400, random_state=0)
    cells = np.array(table.numeric)
    cells[0, 0], cells[1, 1] = 1e308, -1e308
    clf = LinearTreeClassifier(**SHORT).fit(numbers(cells, table.y))
    assert accuracy(clf, numbers(cells, table.y)) > 0.95
    with pytest.raises(ValueError, match="infin"):
        LinearTreeClassifier().fit([[1.0], [np.inf]], [0, 1])


def test_fewer_rows_than_features_and_one_class():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 100)), np.arange(40) % 2
    X[:, 3] += 6 * y
    clf = LinearTreeClassifier(**SHORT).fit(X, y)
    assert clf.score(X, y) > 0.9
    assert max(len(clf.tree_.tested(node)) for node in range(clf.tree_.n_nodes)) <= 8  # one weight for five rows
    assert LinearTreeClassifier(**SHORT).fit(X, np.zeros(40)).tree_.n_leaves == 1
    assert LinearTreeClassifier(**SHORT).fit(X[:1], [1]).tree_.n_leaves == 1


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"alpha": -1}, "alpha must be"),
        ({"alpha": "auto"}, "alpha must be 'cv' or a number of at least 0, got 'auto'"),
        ({"alpha": float("inf")}, "alpha must be finite, got inf; with 1 the tree is a leaf already"),
        ({"alpha": "cv", "cv": 1}, "cv must be"),
        ({"beta": 2}, "beta must be"),
        ({"tests": "obliqe"}, "tests must be one of"),
        ({"mutation": "leaves"}, "mutation must be one of"),
        ({"objects_per_weight": 0}, "objects_per_weight must be"),
        ({"population_size": 1}, "population_size must be"),
        ({"population_size": 10**12}, "population_size must be a whole number between 2 and 1000000"),
        ({"patience": 0}, "patience must be"),
        ({"max_leaves": 0}, "max_leaves must be"),
    ],
)
def test_wrong_parameters_are_named(wrong, said):
    with pytest.raises(ValueError, match=said):
        LinearTreeClassifier(**wrong).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("tests", ["linear", "mixed"])
@pytest.mark.parametrize("terms", [1, 2, 3])
def test_no_test_has_more_features_than_allowed(tests, terms):
    """After mutation, crossover and new planes alike the best tree keeps to it."""
    X, y = load_breast_cancer(return_X_y=True)
    clf = LinearTreeClassifier(
        tests=tests, max_terms=terms, generations=150, population_size=30, crossover_rate=0.8, random_state=0
    )
    tree = clf.fit(X, y).tree_
    assert 1 <= max(len(tree.tested(node)) for node in range(tree.n_nodes) if not tree.is_leaf(node)) <= terms
    with pytest.raises(ValueError, match="max_terms must be a whole number of at least 1 or None, got 0"):
        LinearTreeClassifier(max_terms=0).fit(X, y)


@pytest.mark.parametrize("tests", ["linear", "univariate", "mixed"])
def test_a_table_without_features_gives_one_leaf(tests):
    table = Table([], [], target=Column("y", ("a", "b")), y=[0, 1, 1] * 20)
    clf = LinearTreeClassifier(tests=tests, population_size=6, generations=20, random_state=0).fit(table)
    assert clf.tree_.n_leaves == 1 and clf.tree_.predict(table).tolist() == [1] * 60


# -- the price of a leaf ----------------------------------------------------------------------------

CHOOSING = {"alpha": "cv", "cv": 3, "generations": 60, "patience": 25, "population_size": 20, "random_state": 0}


def squares(n_rows=500, seed=0):
    """Forty-nine fields of two classes: more leaves than the paper's price allows."""
    x = np.random.default_rng(seed).random((2, n_rows))
    return numbers(x, ((7 * x[0]).astype(int) + (7 * x[1]).astype(int)) % 2)


def test_the_price_is_the_one_that_errs_least_and_few_leaves_cost_most():
    many = LinearTreeClassifier(**CHOOSING).fit(squares())
    few = LinearTreeClassifier(**CHOOSING).fit(artificial.ls2(300, random_state=0))
    for clf in (many, few):
        assert list(clf.alpha_errors_) == list(PRICES)
        least = min(clf.alpha_errors_.values())
        assert clf.alpha_ == next(price for price, error in clf.alpha_errors_.items() if error <= least + 1e-12)
    assert many.alpha_ < 0.005 <= few.alpha_
    assert many.tree_.n_leaves > LinearTreeClassifier(**{**CHOOSING, "alpha": 0.005}).fit(squares()).tree_.n_leaves
    plain = LinearTreeClassifier(**SHORT).fit(squares())
    assert (plain.alpha_, plain.alpha_errors_) == (0.005, None)


def test_patience_may_be_without_end():
    patient = LinearTreeClassifier(**SHORT, patience=10**12).fit(squares(100))
    assert patient.tree_ == LinearTreeClassifier(**SHORT, patience=10**6).fit(squares(100)).tree_


def test_an_alpha_of_one_gives_a_leaf():
    for beta in (0, 0.5, 1):
        assert LinearTreeClassifier(alpha=1, beta=beta, **SHORT).fit(squares(200)).tree_.n_leaves == 1


def test_splits_count_rows_of_weight_0_too():
    """They are no rows to learn from or to judge by, so where they lie changes nothing."""
    table = squares(150)
    X, y, folds = table.numeric.T, table.y, np.arange(150) % 3
    weights = np.where(np.arange(150) % 5, 1.0, 0.0)
    kept = weights > 0
    splits = [(np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)) for fold in range(3)]
    masks = [(folds != fold, folds == fold) for fold in range(3)]
    without = LinearTreeClassifier(**CHOOSING | {"cv": PredefinedSplit(folds[kept])}).fit(X[kept], y[kept])
    for cv in (splits, masks, PredefinedSplit(folds)):
        clf = LinearTreeClassifier(**CHOOSING | {"cv": cv}).fit(X, y, sample_weight=weights)
        assert (clf.alpha_errors_, clf.tree_) == (without.alpha_errors_, without.tree_)
    one_class = {"class_weight": {0: 1, 1: 0}, "cv": splits}
    assert LinearTreeClassifier(**CHOOSING | one_class).fit(X, y).tree_.n_leaves == 1


def test_the_chosen_price_does_not_depend_on_threads():
    one = LinearTreeClassifier(**CHOOSING).fit(squares(200))
    several = LinearTreeClassifier(**CHOOSING, n_jobs=3).fit(squares(200))
    assert (several.alpha_errors_, several.tree_) == (one.alpha_errors_, one.tree_)


def test_a_choice_that_was_stopped_goes_on_as_if_it_had_not_been():
    """With no price chosen there is no tree, so Ctrl-C raises; what the searches had done is in the checkpoint."""
    params = LinearTreeClassifier(**CHOOSING).get_params()
    settings = Settings(**{name: params[name] for name in Settings.__slots__})
    table = squares(150)
    folds = np.arange(150) % 3

    def begun():
        return LeafPriceSearch(settings, table, folds, [1, 2, 3], n_jobs=2)

    whole, part, resumed = begun(), begun(), begun()
    while not whole.finished:
        whole.advance()
    for _ in range(9):
        part.advance()
    assert 0 < np.isfinite(part.errors).sum() < part.errors.size
    assert len(part.state()) > 1  # some are under way
    resumed.restore({name: array.copy() for name, array in part.state().items()})
    assert resumed.done == part.done
    while not resumed.finished:
        resumed.advance()
    assert np.array_equal(resumed.errors, whole.errors)
    with pytest.raises(ValueError, match="errors must be shares of rows"):
        begun().restore({"errors": np.full((5, 3), 2.0)})

    def stop(done, total, row):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        LinearTreeClassifier(**CHOOSING, progress=stop).fit(table)


def test_small_leaves_come_with_low_prices():
    given = dict.fromkeys(Settings.__slots__)
    settings = Settings(**given)
    leaves = [priced(settings, price, 1000, chosen=True).min_leaf for price in PRICES]
    assert leaves == [15, 15, 7.5, 3, 2]
    assert [priced(settings, price, 1000, chosen=False).min_leaf for price in PRICES] == [15] * 5
    fixed = Settings(**{**given, "min_leaf": 4})
    assert [priced(fixed, price, 1000, chosen=True).min_leaf for price in PRICES] == [4] * 5


# -- islands ----------------------------------------------------------------------------------------

ISLANDS = {"islands": 3, "migration_every": 20, "generations": 100, "patience": 30, "population_size": 20}


def test_islands_find_the_same_tree_on_every_backend():
    table = artificial.chess2(300, random_state=0)
    one = LinearTreeClassifier(**ISLANDS, random_state=0).fit(table)
    for backend, n_jobs in (("threading", 3), ("loky", 2)):
        with parallel_config(backend, n_jobs=n_jobs):
            other = LinearTreeClassifier(**ISLANDS, random_state=0).fit(table)
        assert (other.tree_, other.fitness_) == (one.tree_, one.fitness_)
        assert other.history_ == one.history_
    fewer = LinearTreeClassifier(**{**ISLANDS, "islands": 2}, random_state=0).fit(table)
    assert fewer.history_["mutations"].sum() < one.history_["mutations"].sum()


def test_islands_find_the_same_tree_on_dask():
    distributed = pytest.importorskip("distributed")
    table = artificial.chess2(200, random_state=0)
    one = LinearTreeClassifier(**ISLANDS, random_state=0).fit(table)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster),
        parallel_config("dask"),
    ):
        assert LinearTreeClassifier(**ISLANDS, random_state=0).fit(table).tree_ == one.tree_


def test_islands_find_the_same_tree_on_ray():
    pytest.importorskip("ray", reason="needs ray")
    from clearwood.studies.ray_backend import ray_cluster, ray_workers

    table = artificial.chess2(200, random_state=0)
    one = LinearTreeClassifier(**ISLANDS, random_state=0).fit(table)
    with ray_cluster(None, 2) as n_workers, parallel_config(ray_workers(), n_jobs=n_workers):
        assert LinearTreeClassifier(**ISLANDS, random_state=0).fit(table).tree_ == one.tree_


def test_the_best_trees_travel_to_the_next_island():
    table = artificial.zebra1(300, random_state=0)
    params = LinearTreeClassifier(**ISLANDS).get_params()
    settings = Settings(**{name: params[name] for name in Settings.__slots__} | {"min_leaf": 5.0})
    search = IslandSearch(settings, table, [1, 2, 3], 20)
    fitness = []
    while not search.finished:
        search.advance()
        fitness.append([island.best_fitness for island in search._islands])
    for before, after in pairwise(fitness):
        for place in range(3):
            assert after[place] >= before[place]
            if after != before and not search._islands[place].finished:
                assert after[place] >= before[place - 1]
    alone = LinearSearch(settings, scale(table), 2, 1)
    while not alone.finished:
        alone.advance()
    assert max(fitness[-1]) >= alone.best_fitness - 0.02  # travel costs the places of the worst trees only


def test_islands_go_on_from_a_checkpoint(tmp_path):
    table = artificial.chess2(300, random_state=0)
    whole = LinearTreeClassifier(**ISLANDS, random_state=0).fit(table)
    clf = LinearTreeClassifier(**ISLANDS, random_state=0, checkpoint=tmp_path / "run.npz")

    def stop(done, total, row):
        if done >= 40:
            raise KeyboardInterrupt

    with pytest.warns(UserWarning, match="interrupted after 40"):
        assert clone(clf).set_params(progress=stop).fit(table).interrupted_
    resumed = clone(clf).fit(table)
    assert (resumed.tree_, resumed.fitness_) == (whole.tree_, whole.fitness_)
    with pytest.raises(ValueError, match="islands must be"):
        LinearTreeClassifier(islands=0).fit(table)
