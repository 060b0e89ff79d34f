"""ParetoTreeClassifier: proven optima, what stays the same, what is chosen, and bad input."""

import os
import pickle
import re
import signal
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

from clearwood import (
    C45Classifier,
    CARTClassifier,
    Column,
    ParetoTreeClassifier,
    Table,
    Tree,
    TreeBuilder,
    progress,
)
from clearwood.evolve.pareto import classifier as classifier_module
from clearwood.evolve.pareto import folds as folds_module
from clearwood.evolve.pareto import search as search_module
from clearwood.evolve.pareto.search import FrontSearch
from clearwood.evolve.pareto.settings import FrontSettings
from clearwood.read import datasets

SMALL = {"generations": 20, "population_size": 60, "max_leaves": 8, "random_state": 0}

OPTIMA = {  # leaves: errors, by exhaustive search over all thresholds
    "iris": {2: 50, 3: 6, 4: 3, 5: 2},
    "wine": {2: 54, 3: 15, 4: 3, 8: 0},
    "pima": {2: 192, 3: 175, 4: 171, 8: 151},
    "ionosphere": {2: 57, 3: 31},
    "glass": {2: 105, 3: 81, 4: 70},
}


def named(name):
    try:
        return datasets.load(name)
    except FileNotFoundError as error:
        pytest.skip(str(error))


def table_of(bunch):
    classes = tuple(bunch.target_names.tolist())
    return Table(
        [Column(n) for n in bunch.feature_names], bunch.data.T, target=Column("class", classes), y=bunch.target
    )


def mixed(n_rows=120, seed=0):
    """Numbers, a nominal column and gaps; the class depends on all of them."""
    rng = np.random.default_rng(seed)
    x, sky = rng.random(n_rows), rng.integers(4, size=n_rows)
    y = ((x > 0.5) ^ np.isin(sky, (1, 2))).astype(int)
    gap = rng.random(n_rows) < 0.2
    x = np.where(gap, np.nan, x)
    y = np.where(gap, 1, y)  # what is missing tells the class
    columns = [Column("x"), Column("sky", ("sun", "rain", "fog", "snow"))]
    return Table(columns, [x, sky], target=Column("class", ("no", "yes")), y=y)


def run(table, seed=0, **settings):
    search = FrontSearch(table, FrontSettings(**settings), seed)
    while not search.finished:
        search.advance()
    return search


# -- quality -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OPTIMA)
def test_a_default_run_reaches_the_proven_optima(name):
    table = named(name)
    generations = 400 if name == "ionosphere" else 1000  # to keep the tests short
    errors = run(table, seed=1, generations=generations).errors()
    for leaves, optimum in OPTIMA[name].items():
        found = min(round(error * table.n_rows) for size, error in errors.items() if size <= leaves)
        assert found <= optimum


def test_the_front_never_gets_worse():
    search = FrontSearch(table_of(load_wine()), FrontSettings(generations=60, population_size=60, max_leaves=12), 5)
    before: dict[int, float] = {}
    while not search.finished:
        search._at_once = 1
        search.advance()
        errors = search.errors()
        assert all(errors[size] <= error for size, error in before.items())
        before = errors


def test_without_improvements_it_is_the_papers_search_and_still_gets_better():
    table = table_of(load_iris())
    few, many = (run(table, generations=n, improvements=0, max_leaves=10).errors() for n in (2, 200))
    assert sum(many[size] for size in range(3, 6)) < sum(few[size] for size in range(3, 6))
    assert 150 * many[3] <= 7 and 150 * many[4] <= 4


def test_no_size_is_worse_than_best_first_growth():
    """However short the search: scikit-learn's greedy trees by either criterion, on numbers and several classes."""
    data = load_wine()
    table = table_of(data)
    table = table.with_target(table.target, np.random.default_rng(0).permutation(table.y))  # many leaves are needed
    errors = run(table, generations=1, population_size=4, improvements=1, max_leaves=16).errors()
    for leaves in range(2, 17):
        for criterion in ("gini", "entropy"):
            greedy = DecisionTreeClassifier(criterion=criterion, max_leaf_nodes=leaves, random_state=0)
            score = greedy.fit(data.data, table.y).score(data.data, table.y)
            assert errors[leaves] <= 1 - score + 1e-9


# -- the same, whatever the circumstances --------------------------------------------------------


def fronts_equal(a, b):
    return len(a) == len(b) and all(
        x.tree == y.tree
        and x.training_error == y.training_error
        and x.cv_error == pytest.approx(y.cv_error, nan_ok=True)
        for x, y in zip(a, b, strict=True)
    )


@pytest.mark.parametrize("options", [{}, {"islands": 3, "migration_every": 4}, {"cv": 3, "selection": "srm"}])
def test_the_number_of_threads_changes_nothing(options, monkeypatch):
    monkeypatch.setattr(search_module, "SHARED_ROWS", 50)  # so that threads share the groups of this table
    options = {"selection": 4} | options
    one, two, three = (ParetoTreeClassifier(**SMALL | options, n_jobs=n).fit(mixed()) for n in (1, 2, 3))
    assert fronts_equal(one.front_, two.front_) and fronts_equal(one.front_, three.front_)
    assert not fronts_equal(
        one.front_, ParetoTreeClassifier(**SMALL | options | {"random_state": 1}).fit(mixed()).front_
    )


def test_chunks_change_nothing():
    table = mixed()
    whole = run(table, generations=30, population_size=40, max_leaves=6)
    pieces = FrontSearch(table, FrontSettings(generations=30, population_size=40, max_leaves=6), 0)
    while not pieces.finished:
        pieces._at_once = 7
        pieces.advance()
    assert whole.errors() == pieces.errors()
    assert all(np.array_equal(a[2], b[2]) for a, b in zip(whole.found(), pieces.found(), strict=True))


def test_a_run_goes_on_from_its_checkpoint(tmp_path):
    table, file = mixed(), tmp_path / "run.npz"
    options = SMALL | {"cv": 3, "generations": 12}
    whole = ParetoTreeClassifier(**options).fit(table)

    def stop(done, total, row):
        if stops and done >= stops[0]:
            stops.pop(0)
            os.kill(os.getpid(), signal.SIGINT)

    stops = [4]  # in the search itself
    with pytest.warns(UserWarning, match="goes on from the checkpoint"):
        first = ParetoTreeClassifier(**options, checkpoint=file, progress=stop).fit(table)
    assert first.interrupted_ and isinstance(first.tree_, Tree) and first.front_.fold_errors is None
    stops = [14]  # then in the second fold
    with pytest.warns(UserWarning, match="goes on from the checkpoint"):
        second = ParetoTreeClassifier(**options, checkpoint=file, progress=stop).fit(table)
    assert second.interrupted_
    last = ParetoTreeClassifier(**options, checkpoint=file, n_jobs=2).fit(table)
    assert not last.interrupted_ and fronts_equal(last.front_, whole.front_)
    assert last.history_ == whole.history_
    with pytest.raises(ValueError, match="other data or other settings"):
        ParetoTreeClassifier(**options | {"max_leaves": 5}, checkpoint=file).fit(table)


def test_history_and_progress_tell_hypervolume_and_errors():
    seen = []
    clf = ParetoTreeClassifier(**SMALL, selection=3, progress=lambda done, total, row: seen.append(row)).fit(mixed())
    assert (np.diff(clf.history_["hypervolume"]) >= 0).all()
    assert (np.diff(clf.history_["error_4"]) <= 0).all()
    assert seen[-1]["generations"] == 20 and seen[-1]["error_8"] <= seen[-1]["error_2"]
    assert clf.front_.hypervolume(8) == pytest.approx(clf.history_["hypervolume"][-1])


def test_clones_and_pickles():
    clf = ParetoTreeClassifier(**SMALL, cv=3).fit(mixed())
    again = pickle.loads(pickle.dumps(clf))
    assert again.choose(3).tree_ == clf.choose(3).tree_ and again.explain_choice() == clf.explain_choice()
    assert fronts_equal(clone(clf).fit(mixed()).front_, clf.front_)


# -- what a tree can do --------------------------------------------------------------------------


def test_values_sets_and_the_direction_of_missing_values_are_learned():
    table = mixed()
    clf = ParetoTreeClassifier(**SMALL | {"generations": 60}, selection=5).fit(table)
    best = min(clf.front_, key=lambda entry: entry.training_error)
    assert best.training_error == 0 and best.n_leaves <= 6
    assert (best.tree.predict(table) == table.y).all()
    frame = pd.DataFrame({"x": [np.nan], "sky": ["sun"]})
    assert clf.choose(best.n_leaves).predict(frame).tolist() == ["yes"]


def test_more_values_than_a_set_can_hold_are_grouped():
    rng = np.random.default_rng(0)
    codes = rng.integers(100, size=600)
    names = tuple(f"v{i:02}" for i in range(100))
    table = Table([Column("v", names)], [codes], target=Column("class", ("a", "b")), y=(codes % 3 == 0).astype(int))
    errors = ParetoTreeClassifier(**SMALL | {"generations": 40}, selection=2, min_value_rows=1).fit(table).front_
    assert errors.of_size(2).training_error < 0.05  # neighbours in the order of the groups are alike
    assert min(entry.training_error for entry in errors) <= 0.02


def test_evolved_classes_are_what_the_tree_says():
    table = mixed(60)
    clf = ParetoTreeClassifier(
        generations=3,
        population_size=40,
        max_leaves=8,
        improvements=0,
        leaf_classes="evolved",
        selection=2,
        random_state=3,
    ).fit(table)
    for entry in clf.front_:
        assert (entry.tree.predict(table) != table.y).mean() == pytest.approx(entry.training_error)
    majority = ParetoTreeClassifier(
        generations=3, population_size=40, max_leaves=8, improvements=0, selection=2, random_state=3
    ).fit(table)
    assert clf.front_.of_size(2).training_error >= majority.front_.of_size(2).training_error


def test_seeds_enter_the_population():
    table = table_of(load_wine())
    c45 = C45Classifier().fit(table)
    options = {"generations": 1, "population_size": 20, "improvements": 0, "selection": 2, "random_state": 0}
    seeded = ParetoTreeClassifier(**options, seeds=[c45, "cart", CARTClassifier(pruning=0.0)]).fit(table)
    assert (
        seeded.front_.of_size(c45.tree_.n_leaves).training_error <= (c45.predict(table) != c45.classes_[table.y]).mean()
    )
    plain = ParetoTreeClassifier(**options).fit(table)
    assert seeded.front_.hypervolume(35) > plain.front_.hypervolume(35)
    assert 2 in ParetoTreeClassifier(**options | {"max_leaves": 2}, seeds=c45).fit(table).front_.sizes  # cut to fit


def test_branches_for_each_value_become_chains():
    table = mixed()
    build = TreeBuilder(table.columns, table.classes, target="class")
    leaves = [build.leaf(counts) for counts in ([40, 2], [3, 30], [2, 30], [20, 5])]
    tree = build.build(build.branches("sky", leaves))
    options = {
        "generations": 1,
        "population_size": 4,
        "improvements": 0,
        "selection": 4,
        "max_leaves": 4,
        "random_state": 0,
    }
    clf = ParetoTreeClassifier(**options, seeds=tree).fit(table)
    errors = sum(np.bincount(table.y[table.column("sky") == v]).min() for v in range(4)) / table.n_rows
    assert clf.front_.of_size(4).training_error <= errors


def test_features_and_costs_can_be_objectives():
    table = table_of(load_wine())
    costs = {name: 1.0 + 9 * (i % 2) for i, name in enumerate(table.feature_names)}
    clf = ParetoTreeClassifier(
        **SMALL | {"generations": 60}, selection=5, objectives=["leaves", "error", "features", "cost"], test_costs=costs
    ).fit(table)
    of_five = [entry for entry in clf.front_ if entry.n_leaves == 5]
    assert len(of_five) > 1
    measures = [(e.training_error, e.n_features, e.cost) for e in of_five]
    for one in measures:  # none is as good as another in everything
        assert not any(all(a <= b for a, b in zip(two, one, strict=True)) and two != one for two in measures)
    for entry in of_five:
        assert entry.n_features == len(entry.tree.features)
        paid = 0.0
        for leaf in np.flatnonzero(entry.tree.n_children == 0):
            names = {condition.column.name for condition in entry.tree.path(int(leaf))}
            paid += entry.tree.counts[leaf].sum() * sum(costs[name] for name in names)
        assert entry.cost == pytest.approx(paid / table.n_rows)
    assert min(entry.n_features for entry in of_five) == 1


# -- the choice ----------------------------------------------------------------------------------


def test_the_choice_and_its_reason():
    table = table_of(load_iris())
    clf = ParetoTreeClassifier(**SMALL, cv=5, cv_repeats=2).fit(table)
    assert clf.front_.fold_errors.shape == (10, len(clf.front_))
    means = [entry.cv_error for entry in clf.front_]
    assert clf.n_leaves_ == clf.front_[int(np.argmin(np.round(means, 12)))].n_leaves == clf.tree_.n_leaves
    words = clf.explain_choice()
    assert "least mean cross-validated error" in words and "10 folds" in words
    assert "more" in words and "95 % interval" in words
    frugal = ParetoTreeClassifier(**SMALL, cv=5, cv_repeats=2, selection="one_se").fit(table)
    assert frugal.n_leaves_ <= clf.n_leaves_ and "one standard error" in frugal.explain_choice()
    before = clf.front_
    assert clf.choose(2).tree_.n_leaves == 2 and clf.front_ is before and "as asked for" in clf.explain_choice()
    assert len(set(clf.predict(table))) == 2
    with pytest.raises(ValueError, match="no tree has 40 leaves; there are trees of 2 to"):
        clf.choose(40)


def test_a_size_at_the_limit_is_warned_of():
    x = np.repeat(np.arange(80.0), 2)
    table = Table([Column("x")], [x], target=Column("c", ("a", "b")), y=(x // 10 % 2).astype(int))  # eight stretches
    options = SMALL | {"cv": 4, "generations": 40}
    with pytest.warns(
        UserWarning, match="largest that was searched, max_leaves=4; larger trees may do better: try max"
    ):
        clf = ParetoTreeClassifier(**options | {"max_leaves": 4}).fit(table)
    assert clf.n_leaves_ == 4 and "with a larger max_leaves the error may be less" in clf.explain_choice()
    assert "max_leaves" not in clf.choose(3).explain_choice()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        enough = ParetoTreeClassifier(**options | {"max_leaves": 16}).fit(table)
        ParetoTreeClassifier(**options | {"max_leaves": 4}, selection=4).fit(table)  # as asked for
    assert enough.n_leaves_ < 16 and "max_leaves" not in enough.explain_choice()


def test_cross_validated_errors_are_those_of_trees_that_did_not_see_the_rows():
    """On noise no size can do better than the most frequent class, however well it fits the training rows."""
    rng = np.random.default_rng(0)
    table = Table(
        [Column(f"n{i}") for i in range(4)], rng.random((4, 120)), target=Column("c", ("a", "b")), y=np.arange(120) % 2
    )
    clf = ParetoTreeClassifier(**SMALL | {"max_leaves": 12}, cv=5).fit(table)
    largest = clf.front_[-1]
    assert largest.training_error < 0.3 and largest.cv_error > 0.4


# -- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"max_leaves": 1}, "max_leaves must be a whole number between 2 and 10000, got 1"),
        ({"population_size": 3}, "population_size must be a whole number between 4 and 1000000, got 3"),
        ({"population_size": 10**12}, "population_size must be a whole number between 4 and 1000000"),
        ({"improvements": 2**31}, "improvements must be a whole number between 0 and 1000000 or None"),
        ({"certify": 10**23}, "certify must be a whole number between 0 and"),
        ({"generations": 0}, "generations must be"),
        ({"tournament_size": 3}, "tournament_size must be"),
        ({"crossover_rate": 1.5}, "crossover_rate must be"),
        ({"selection": "best"}, "selection must be one of 'srm', 'half_se', 'one_se'"),
        ({"selection": 50}, "selection must be a whole number between 2 and 35"),
        ({"cv": 1}, "cv must be"),
        ({"cv_repeats": 0}, "cv_repeats must be"),
        ({"leaf_classes": "random"}, "leaf_classes must be one of"),
        ({"objectives": ["error"]}, "objectives must hold 'leaves'"),
        ({"objectives": ["leaves", "error", "size"]}, "objectives must be one of"),
        ({"test_costs": {"x": 1}}, "add 'cost' to objectives"),
        ({"objectives": ["leaves", "error", "cost"], "test_costs": {"x": -1}}, r"test_costs\['x'\] must be"),
        ({"objectives": ["leaves", "error", "cost"], "test_costs": {"z": 1}}, "'z', which is not a feature"),
        ({"seeds": "c54"}, "did you mean 'c45'"),
        ({"improvements": -1}, "improvements must be"),
        ({"islands": 0}, "islands must be"),
    ],
)
def test_wrong_parameters_are_refused(params, message):
    with pytest.raises(ValueError, match=message):
        ParetoTreeClassifier(**params).fit(mixed())


def test_hyper_planes_cannot_be_seeds():
    build = TreeBuilder([Column("x"), Column("sky", ("sun", "rain", "fog", "snow"))], ("no", "yes"))
    plane = build.build(build.linear({"x": 1.0}, 0.5, [build.leaf([1, 0]), build.leaf([0, 1])]))
    with pytest.raises(ValueError, match="hyper-planes"):
        ParetoTreeClassifier(**SMALL, seeds=plane).fit(mixed())
    with pytest.raises(TypeError, match="seeds must hold trees"):
        ParetoTreeClassifier(seeds=[3]).fit(mixed())


def test_nothing_to_tell_apart_gives_a_leaf():
    one_class = ParetoTreeClassifier(**SMALL).fit([[1.0], [2.0], [3.0]], ["a", "a", "a"])
    constant = ParetoTreeClassifier(**SMALL).fit([[1.0]] * 6, ["a", "a", "a", "a", "b", "b"])
    for clf in (one_class, constant):
        assert clf.tree_.n_leaves == 1 and clf.front_.sizes == (1,) and clf.predict([[5.0]]).tolist() == ["a"]
        assert clf.explain_choice()
    assert constant.front_[0].training_error == pytest.approx(1 / 3)


def test_two_rows():
    clf = ParetoTreeClassifier(**SMALL).fit([[1.0, 5.0], [2.0, 5.0]], ["a", "b"])
    assert clf.front_.sizes == (2,) and clf.predict([[0.0, 5.0], [3.0, 5.0]]).tolist() == ["a", "b"]


def test_more_classes_than_leaves_and_folds_without_a_class():
    rng = np.random.default_rng(0)
    X, y = rng.random((40, 2)), np.r_[np.arange(30), np.arange(10)]
    clf = ParetoTreeClassifier(**SMALL | {"max_leaves": 4}, cv=5).fit(X, y)
    assert clf.front_.sizes == (2, 3, 4) and len(clf.classes_) == 30 and clf.predict_proba(X).shape == (40, 30)


def test_a_column_with_very_many_values_needs_few_bitsets():
    rng = np.random.default_rng(0)
    n_rows = 100_000
    x = rng.random(n_rows)
    table = Table([Column("x")], [x], target=Column("c", ("a", "b")), y=(np.abs(x - 0.5) < 0.2).astype(int))
    search = run(table, generations=3, population_size=20, max_leaves=4)
    assert search.errors()[3] == 0
    assert search.bits.kernel.n_bitsets <= 64


def test_rows_without_a_class_or_weight_do_not_count():
    table = mixed()
    y = table.y.copy()
    y[:10] = -1
    gaps = Table(table.columns, [table.column(0), table.column(1)], target=table.target, y=y)
    with pytest.warns(UserWarning, match="10 rows without a class"):
        one = ParetoTreeClassifier(**SMALL, cv=3).fit(gaps)
    two = ParetoTreeClassifier(**SMALL, cv=3).fit(table.take(np.arange(10, table.n_rows)))
    assert fronts_equal(one.front_, two.front_)
    weighted = ParetoTreeClassifier(**SMALL, cv=3).fit(
        table, sample_weight=np.r_[np.zeros(10), np.ones(table.n_rows - 10)]
    )
    assert fronts_equal(weighted.front_, two.front_)


def test_a_time_limit_ends_a_search_that_would_not():
    X, y = load_iris(return_X_y=True)
    clf = ParetoTreeClassifier(generations=10**8, time_limit=2, max_leaves=5, cv=3, population_size=40, random_state=0)
    clf.fit(X, y)
    assert not clf.interrupted_ and 0 < clf.history_["generations"][-1] < 10**8
    assert clf.tree_.n_leaves >= 3


def test_progress_speaks_of_errors():
    table = table_of(load_iris())
    search = FrontSearch(table, FrontSettings(generations=5, max_leaves=6, population_size=40), 0, [], 1)
    while not search.finished:
        search.advance()
    assert re.fullmatch(r"best with 2 leaves: 33\.3 % errors, with 4 \d\.\d %", search.words())


def settings_of_folds():
    return {"generations": 60, "max_leaves": 9, "population_size": 60, "random_state": 0, "cv": 5, "progress": False}


def test_threads_that_begin_with_the_folds_change_nothing(monkeypatch):
    """With one thread the folds come after the search of the whole table, with several beside it."""
    monkeypatch.setattr(folds_module, "WORTH_THREADS", 0)
    X, y = load_iris(return_X_y=True)
    alone, *others = [ParetoTreeClassifier(n_jobs=n, **settings_of_folds()).fit(X, y) for n in (1, 2, 3, 8)]
    told = [[(e.n_leaves, e.tree, e.training_error, e.cv_error, e.cv_interval) for e in clf.front_] for clf in others]
    assert told == [[(e.n_leaves, e.tree, e.training_error, e.cv_error, e.cv_interval) for e in alone.front_]] * 3
    for other in others:
        assert other.tree_ == alone.tree_
        assert other.history_["hypervolume"].tolist() == alone.history_["hypervolume"].tolist()


def test_what_goes_wrong_in_a_fold_beside_the_search_is_told(monkeypatch):
    monkeypatch.setattr(folds_module, "WORTH_THREADS", 0)
    real, asked = folds_module.FoldsSearch._search, []

    def broken_once(self, run, n_threads=1):
        asked.append(run)
        if asked.count(1) == 1 and run == 1:
            raise RuntimeError("no such fold")
        return real(self, run, n_threads)

    monkeypatch.setattr(folds_module.FoldsSearch, "_search", broken_once)
    with pytest.raises(RuntimeError, match="no such fold"):
        ParetoTreeClassifier(n_jobs=3, **settings_of_folds()).fit(*load_iris(return_X_y=True))
    assert asked.count(1) == 1


def press_at(line):
    """A progress callback that presses Ctrl-C when the history gets a certain line."""
    told = []

    def press(done, total, row):
        told.append(done)
        if len(told) == line:
            raise KeyboardInterrupt

    return press


def test_ctrl_c_ends_the_folds_that_were_begun(monkeypatch):
    monkeypatch.setattr(folds_module, "WORTH_THREADS", 0)
    real, searches = folds_module.FoldsSearch._search, []

    def noted(self, run, n_threads=1):
        searches.append(real(self, run, n_threads))
        return searches[-1]

    monkeypatch.setattr(folds_module.FoldsSearch, "_search", noted)
    clf = ParetoTreeClassifier(**settings_of_folds() | {"generations": 10_000, "progress": press_at(20)}, n_jobs=3)
    with pytest.warns(UserWarning, match="interrupted after"):
        clf.fit(*load_iris(return_X_y=True))
    assert clf.interrupted_ and np.isnan(clf.front_[0].cv_error)
    assert searches and all(search.done < 10_000 for _, search in searches)


def test_after_ctrl_c_the_errors_of_folds_do_not_spoil_what_was_found(monkeypatch):
    monkeypatch.setattr(folds_module, "WORTH_THREADS", 0)

    def broken(self, run, n_threads=1):
        raise RuntimeError("no such fold")

    monkeypatch.setattr(folds_module.FoldsSearch, "_search", broken)
    clf = ParetoTreeClassifier(**settings_of_folds() | {"generations": 3000, "progress": press_at(20)}, n_jobs=3)
    with pytest.warns(UserWarning, match="interrupted after"):
        clf.fit(*load_iris(return_X_y=True))
    assert clf.interrupted_ and clf.tree_.n_leaves > 1


def test_ctrl_c_while_proofs_are_looked_for_leaves_what_was_found(monkeypatch):
    def pressed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(classifier_module, "Certificates", pressed)
    clf = ParetoTreeClassifier(**settings_of_folds())
    with pytest.warns(UserWarning, match="interrupted after the generations"):
        clf.fit(*load_iris(return_X_y=True))
    assert clf.interrupted_ and clf.tree_.n_leaves > 1 and not clf.front_[0].proved


@pytest.mark.parametrize(("options", "beside"), [({}, 3), ({"islands": 2}, 2), ({"islands": 9}, 0), ({"cv": 2}, 2)])
def test_folds_have_the_threads_that_the_search_leaves(options, beside, monkeypatch):
    monkeypatch.setattr(folds_module, "WORTH_THREADS", 0)
    real, asked = folds_module.FoldsSearch.begun, []
    monkeypatch.setattr(folds_module.FoldsSearch, "begun", lambda self, n: asked.append(n) or real(self, n))
    ParetoTreeClassifier(n_jobs=4, **settings_of_folds() | {"generations": 5} | options).fit(
        *load_iris(return_X_y=True)
    )
    assert asked == [beside]


def test_a_large_table_leaves_no_threads_to_the_folds(monkeypatch):
    """Made-up rows count, too: they are searched as the others are."""
    monkeypatch.setattr(folds_module, "WORTH_THREADS", 0)
    monkeypatch.setattr(search_module, "SHARED_ROWS", 2000)
    real, asked = folds_module.FoldsSearch.begun, []
    monkeypatch.setattr(folds_module.FoldsSearch, "begun", lambda self, n: asked.append(n) or real(self, n))
    for targets in ("labels", "distilled"):
        clf = ParetoTreeClassifier(n_jobs=2, targets=targets, **settings_of_folds() | {"generations": 2, "cv": 2})
        clf.fit(*load_iris(return_X_y=True))
    assert asked == [1, 0]


@pytest.mark.parametrize("gaps", [False, True])
def test_greedy_trees_grow_beside_the_search_and_end_with_it(gaps, monkeypatch):
    """Where rows are shared out they grow afterwards, since their growth cannot be stopped."""
    monkeypatch.setattr(search_module, "SHARED_ROWS", 50)
    wanted = []
    real = search_module.grown_best_first

    def noted(table, n_tests, enough=None):
        wanted.append(enough)
        return real(table, n_tests) if enough is None else real(table, n_tests, enough)

    monkeypatch.setattr(search_module, "grown_best_first", noted)
    X, y = load_iris(return_X_y=True)
    if gaps:
        X[::7, 1] = np.nan
    small = {"selection": 4, "max_leaves": 4, "population_size": 40, "random_state": 0, "n_jobs": 2}
    clf = ParetoTreeClassifier(generations=1000, progress=press_at(3), **small)
    with pytest.warns(UserWarning, match="interrupted after"):
        clf.fit(X, y)
    assert [enough() for enough in wanted] == ([] if gaps else [True])
    ParetoTreeClassifier(generations=3, progress=False, **small).fit(X, y)
    assert (wanted[-1] is None) == gaps


def test_a_proof_says_which_trees_it_speaks_of():
    """Values of few rows are kept together, and rows with gaps take one branch: other trees may err less."""
    rng = np.random.default_rng(0)
    town = np.r_[np.repeat(["B0", "B1", "B2"], 20), np.repeat([f"s{i}" for i in range(12)], 3)]
    y = np.r_[rng.permutation(["no"] * 45 + ["yes"] * 15), np.repeat(["yes", "no"] * 6, 3)]
    small = {"selection": 2, "generations": 20, "max_leaves": 4, "random_state": 0, "progress": False}
    clf = ParetoTreeClassifier(**small).fit(pd.DataFrame({"town": town}), y)
    assert clf.front_.of_size(2).proved
    assert (
        "that tests one feature at a time and keeps values of fewer than 10 rows together gets" in clf.explain_choice()
    )
    X, y = load_iris(return_X_y=True)
    assert "that tests one feature at a time gets" in ParetoTreeClassifier(**small).fit(X, y).explain_choice()
    X[::9, 2] = np.nan
    said = ParetoTreeClassifier(**small).fit(X, y).explain_choice()
    assert "that tests one feature at a time and sends rows that lack a value down one branch gets" in said


def test_proofs_survive_weights_that_are_no_whole_numbers():
    X, y = load_wine(return_X_y=True)
    small = {"selection": 3, "generations": 50, "max_leaves": 6, "random_state": 0, "progress": False}
    clf = ParetoTreeClassifier(class_weight="balanced", **small).fit(X, y)
    assert [entry.proved for entry in clf.front_ if 2 <= entry.n_leaves <= 4] == [True] * 3


def test_the_time_left_counts_the_folds_and_the_time_limit(monkeypatch):
    said = []

    class Clock(progress.Clock):
        def __init__(self, now, deadline, following):
            said.append((deadline is not None, following))
            super().__init__(now, deadline, following)

    monkeypatch.setattr(progress, "Clock", Clock)
    X, y = load_iris(return_X_y=True)
    settings = {"generations": 2, "max_leaves": 5, "population_size": 40, "random_state": 0, "progress": True}
    ParetoTreeClassifier(cv=3, time_limit=60, **settings).fit(X, y)
    ParetoTreeClassifier(cv=3, cv_repeats=2, n_jobs=2, **settings).fit(X, y)
    ParetoTreeClassifier(selection=3, **settings).fit(X, y)
    assert said == [(True, 3), (True, 0), (False, 3), (False, 0), (False, 0)]
