"""Trees that evolve on made-up rows too: they speak of the real rows, and no search has seen its test rows."""

import os
import pickle
import signal

import numpy as np
import pytest
from mixed_tables import mixed_table
from sklearn.base import clone
from sklearn.datasets import load_wine

from clearwood import C45Classifier, Column, ForestClassifier, ParetoTreeClassifier, Table, Tree, TreeBuilder
from clearwood.evaluate.fronts import error_on
from clearwood.evolve.pareto import targets as targets_module
from clearwood.evolve.pareto.targets import of_real_rows
from clearwood.learn.registry import make_learner

QUICK = {"generations": 15, "population_size": 40, "max_leaves": 10, "random_state": 0, "targets": "distilled"}
X, Y = load_wine(return_X_y=True)


def weighed(table, seed=0):
    return table.with_weights(np.random.default_rng(seed).integers(1, 4, size=table.n_rows) / 2)


def named_rows(n_rows=150, seed=0):
    """Rows of two numbers and a name that many of them have alone."""
    rng = np.random.default_rng(seed)
    x, z = rng.random((2, n_rows))
    names = tuple(f"n{i}" for i in range(n_rows))
    name = np.where(rng.random(n_rows) < 0.5, rng.integers(3, size=n_rows), np.arange(n_rows))
    y = ((x + 0.4 * z > 0.7) ^ (name == 1)).astype(int)
    columns = [Column("x"), Column("name", names), Column("z")]
    return Table(columns, [x, name, z], target=Column("class", ("no", "yes")), y=y)


def same_fronts(a, b):
    return [(x.tree, x.training_error, x.fidelity) for x in a] == [
        (y.tree, y.training_error, y.fidelity) for y in b
    ] and (
        (a.fold_errors is None) == (b.fold_errors is None)
        and (a.fold_errors is None or (a.fold_errors == b.fold_errors).all())
    )


# -- what the trees say --------------------------------------------------------------------------


pytestmark = pytest.mark.filterwarnings("ignore:.*identifier")


@pytest.mark.parametrize("table", [weighed(mixed_table(0, 200)), named_rows()], ids=["mixed", "names"])
@pytest.mark.parametrize("options", [{}, {"leaf_classes": "evolved", "improvements": 0}], ids=["majority", "evolved"])
def test_each_leaf_holds_the_weight_of_its_real_rows(table, options):
    clf = ParetoTreeClassifier(**QUICK | options, selection=10).fit(table)
    sizes = [entry.n_leaves for entry in clf.front_]
    assert sizes == sorted(set(sizes)) and len(sizes) > 3
    for entry in clf.front_:
        tree, leaves = entry.tree, np.flatnonzero(entry.tree.n_children == 0)
        held = np.bincount(tree.apply(table), table.weights, minlength=tree.n_nodes)
        assert (held[leaves] > 0).all() and held[leaves] == pytest.approx(tree.counts[leaves].sum(axis=1))
        assert (tree.leaf_class[leaves] == tree.counts[leaves].argmax(axis=1)).all()
        assert entry.training_error == pytest.approx(error_on(tree, table))
        assert entry.n_leaves == tree.n_leaves == len(leaves)


def test_heading_and_remark_tell_that_rows_were_made_up():
    clf = ParetoTreeClassifier(**QUICK, selection=3).fit(X, Y)
    assert str(clf.tree_).startswith("distilled Pareto tree for class: 3 leaves")
    assert "178 rows\n3,000 more rows were made up, with a forest's classes; not counted" in str(clf.tree_)
    assert Tree.from_json(clf.tree_.to_json()) == clf.tree_
    plain = clone(clf).set_params(targets="labels").fit(X, Y)
    assert plain.teacher_ is None and "made up" not in str(plain.tree_) and np.isnan(plain.front_[0].fidelity)


@pytest.mark.parametrize("table", [named_rows(), mixed_table(1, 200)], ids=["names", "mixed"])
def test_fidelity_is_that_of_the_teacher_as_it_can_be_asked(table):
    clf = ParetoTreeClassifier(**QUICK, selection=6).fit(table)
    assert isinstance(clf.teacher_, ForestClassifier)
    alike = clf.predict(table) == clf.teacher_.predict(table)
    assert clf.front_.of_size(clf.n_leaves_).fidelity == pytest.approx(alike.mean()) and alike.mean() > 0.7
    assert f"labels {100 * alike.mean():.1f} % of the training rows as the teacher does" in clf.explain_choice()


def test_values_that_few_rows_have_are_not_told_apart():
    table = named_rows()
    tree = ParetoTreeClassifier(**QUICK | {"generations": 40}, selection=10).fit(table).tree_
    names, counts = np.unique(table.column("name"), return_counts=True)
    rare = set(names[counts < 10].tolist())
    sets = [set(tree.subset(node)) for node in range(tree.n_nodes) if len(tree.subset(node))]
    assert sets and all(rare <= one or not rare & one for one in sets)


def test_branches_that_hold_no_row_are_merged_away():
    columns = [Column("x"), Column("sky", ("sun", "rain", "fog"))]
    build = TreeBuilder(columns, ("no", "yes"), target="class", learner="Pareto")
    foggy = build.subset("sky", ["fog"], [build.leaf([3, 1]), build.leaf([2, 9])], missing=1)
    high = build.threshold("x", 5.0, [foggy, build.leaf([7, 0])], missing=0)
    tree = build.build(build.threshold("x", 1.0, [build.leaf([4, 4], bag=[0, 8]), high], missing=1))
    rows = [[0.0, 3.0, 4.0, np.nan], [0, 1, 0, 0]]
    real = Table(columns, rows, target=Column("class", ("no", "yes")), y=[1, 1, 0, 1], weights=[1, 2, 3, 5])
    kept = of_real_rows(tree, real)
    build = TreeBuilder(columns, ("no", "yes"), target="class", learner="Pareto")
    rest = build.leaf([10 * 2 / 11, 10 * 9 / 11])  # three rows, as 2 to 9
    assert kept == build.build(build.threshold("x", 1.0, [build.leaf([0.5, 0.5], bag=[0, 1]), rest], missing=1))
    assert (kept.predict(real) == tree.predict(real)).all()


def test_objectives_beside_leaves_and_error_are_those_of_the_real_rows():
    table = Table([Column(f"x{i}") for i in range(13)], X.T, target=Column("class", ("a", "b", "c")), y=Y)
    costs = {name: 1.0 + 9 * (i % 2) for i, name in enumerate(table.feature_names)}
    objectives = ["leaves", "error", "features", "cost"]
    clf = ParetoTreeClassifier(**QUICK | {"generations": 40}, selection=4, objectives=objectives, test_costs=costs)
    front = clf.fit(table).front_
    assert len(front) > len(front.sizes)
    for entry in front:
        assert entry.n_features == len(entry.tree.features)
        leaf = entry.tree.apply(table)
        paid = [sum(costs[n] for n in {c.column.name for c in entry.tree.path(int(i))}) for i in leaf]
        assert entry.cost == pytest.approx(np.mean(paid))


# -- what is learned -----------------------------------------------------------------------------


def unseen_errors(seed):
    """Mean errors of the larger trees on rows without false labels: those of classes, and of what a forest knows."""
    rng = np.random.default_rng(seed)

    def sample(n_rows, noise):
        x = rng.normal(size=(6, n_rows))
        y = (x[:3].sum(axis=0) > 0) ^ (rng.random(n_rows) < noise)
        return Table([Column(f"x{i}") for i in range(6)], x, target=Column("class", ("no", "yes")), y=y.astype(int))

    train, test = sample(200, 0.15), sample(3000, 0.0)
    options = {"generations": 40, "population_size": 60, "max_leaves": 12, "selection": 12, "random_state": 0}
    fronts = [ParetoTreeClassifier(**options, targets=kind).fit(train).front_ for kind in ("labels", "distilled")]
    return [np.mean([error_on(entry.tree, test) for entry in front if entry.n_leaves > 5]) for front in fronts]


def test_few_rows_with_false_labels_are_over_fitted_less():
    labels, distilled = np.mean([unseen_errors(seed) for seed in range(5)], axis=0)
    assert distilled < labels - 0.01


def test_the_teachers_of_folds_have_not_seen_the_test_rows(monkeypatch):
    seen = []

    class Watched(targets_module.Teacher):
        def __init__(self, given, table, *args, **options):
            seen.append(table.column("row").astype(int).tolist())
            super().__init__(given, table, *args, **options)

    monkeypatch.setattr(targets_module, "Teacher", Watched)
    rng = np.random.default_rng(0)
    rows, x = np.arange(60.0), rng.random(60)
    table = Table([Column("row"), Column("x")], [rows, x], target=Column("c", ("a", "b")), y=(x > 0.5).astype(int))
    splits = [(np.flatnonzero(np.arange(60) % 3 != k), np.flatnonzero(np.arange(60) % 3 == k)) for k in range(3)]
    ParetoTreeClassifier(**QUICK, cv=splits).fit(table)
    assert seen[0] == list(range(60))
    assert sorted(map(tuple, seen[1:])) == sorted(tuple(train.tolist()) for train, _ in splits)


def test_errors_in_the_folds_are_those_of_real_rows():
    """On noise a forest has nothing to teach, and no tree does better than chance on real rows."""
    rng = np.random.default_rng(0)
    table = Table(
        [Column(f"n{i}") for i in range(3)], rng.random((3, 120)), target=Column("c", ("a", "b")), y=np.arange(120) % 2
    )
    front = ParetoTreeClassifier(**QUICK, cv=4).fit(table).front_
    assert front.fold_errors.shape == (4, len(front)) and front[-1].cv_error > 0.35
    assert np.allclose(front.fold_errors * 30, np.round(front.fold_errors * 30))  # whole rows of 30 in each fold


# -- the same, whatever the circumstances --------------------------------------------------------


@pytest.mark.parametrize("options", [{"cv": 3}, {"islands": 2, "migration_every": 4, "selection": 6}])
def test_the_number_of_threads_changes_nothing(options):
    table = mixed_table(0, 150)
    one, three = (ParetoTreeClassifier(**QUICK | options, n_jobs=n).fit(table) for n in (1, 3))
    assert same_fronts(one.front_, three.front_)
    other = ParetoTreeClassifier(**QUICK | options | {"random_state": 1}).fit(table)
    assert not same_fronts(one.front_, other.front_)


def test_a_run_goes_on_from_its_checkpoint(tmp_path):
    table, file, options = mixed_table(0, 150), tmp_path / "run.npz", QUICK | {"cv": 3, "generations": 12}
    whole = ParetoTreeClassifier(**options).fit(table)

    def stop(done, total, row):
        if stops and done >= stops[0]:
            stops.pop(0)
            os.kill(os.getpid(), signal.SIGINT)

    for place in (4, 14):  # in the search itself, then in the second fold
        stops = [place]
        with pytest.warns(UserWarning, match="goes on from the checkpoint"):
            assert ParetoTreeClassifier(**options, checkpoint=file, progress=stop).fit(table).interrupted_
    last = ParetoTreeClassifier(**options, checkpoint=file, n_jobs=2).fit(table)
    assert not last.interrupted_ and same_fronts(last.front_, whole.front_) and last.history_ == whole.history_
    with pytest.raises(ValueError, match="other data or other settings"):
        ParetoTreeClassifier(**options | {"targets": "labels"}, checkpoint=file).fit(table)


def test_clones_and_pickles():
    clf = ParetoTreeClassifier(**QUICK, cv=3).fit(X, Y)
    again = pickle.loads(pickle.dumps(clf))
    assert again.choose(3).tree_ == clf.choose(3).tree_ and again.explain_choice() == clf.explain_choice()
    assert same_fronts(clone(clf).fit(X, Y).front_, clf.front_)


def test_rows_of_weight_zero_do_not_count_and_class_weights_do():
    weight = np.r_[np.zeros(20), np.ones(158)]
    one = ParetoTreeClassifier(**QUICK, selection=5).fit(X, Y, sample_weight=weight)
    two = ParetoTreeClassifier(**QUICK, selection=5).fit(X[20:], Y[20:])
    assert same_fronts(one.front_, two.front_)
    balanced = ParetoTreeClassifier(**QUICK, selection=2, class_weight="balanced").fit(X, Y)
    assert balanced.tree_.counts[0].sum() == pytest.approx(178)
    heavy = ParetoTreeClassifier(**QUICK, selection=2, class_weight={0: 20, 1: 1, 2: 1}).fit(X, Y)
    assert (heavy.predict(X)[Y == 0] == 0).all()


def test_seeds_are_fitted_to_all_rows_that_are_searched(monkeypatch):
    sizes = []

    class Watched(C45Classifier):
        def fit(self, X, y=None, sample_weight=None):
            sizes.append(X.n_rows)
            return super().fit(X, y, sample_weight)

    ParetoTreeClassifier(**QUICK, selection=5, seeds=Watched()).fit(X, Y)
    assert sizes == [3178]


# -- bad and small input -------------------------------------------------------------------------


def test_nothing_to_tell_apart_gives_a_leaf():
    one_class = ParetoTreeClassifier(**QUICK).fit([[1.0], [2.0], [3.0]], ["a", "a", "a"])
    constant = ParetoTreeClassifier(**QUICK).fit([[1.0]] * 6, ["a", "a", "a", "a", "b", "b"])
    for clf in (one_class, constant):
        assert clf.front_.sizes == (1,) and clf.predict([[5.0]]).tolist() == ["a"]
        assert isinstance(clf.teacher_, ForestClassifier) and clf.explain_choice()
    assert constant.front_[0].training_error == pytest.approx(1 / 3)
    assert constant.tree_.counts[0].tolist() == [4, 2]


def test_two_rows():
    clf = ParetoTreeClassifier(**QUICK).fit([[1.0, 5.0], [2.0, 5.0]], ["a", "b"])
    assert clf.tree_.n_leaves <= 2 and clf.tree_.counts[0].sum() == 2


def test_more_classes_than_leaves_and_folds_without_a_class():
    rng = np.random.default_rng(0)
    x, y = rng.random((40, 2)), np.r_[np.arange(30), np.arange(10)]
    clf = ParetoTreeClassifier(**QUICK | {"max_leaves": 4}, cv=5).fit(x, y)
    assert clf.front_.sizes[-1] <= 4 and len(clf.classes_) == 30 and clf.predict_proba(x).shape == (40, 30)


def test_the_command_line_knows_the_targets():
    assert make_learner("pareto", ["targets=distilled"]).targets == "distilled"
    with pytest.raises(ValueError, match="targets must be one of 'labels', 'distilled', got 'distiled'"):
        make_learner("pareto:targets=distiled")


def test_unknown_targets_are_refused():
    with pytest.raises(ValueError, match="targets must be one of 'labels', 'distilled', got 'soft'"):
        ParetoTreeClassifier(targets="soft").fit(X, Y)
