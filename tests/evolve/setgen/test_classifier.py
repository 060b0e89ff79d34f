"""SET-GEN against the paper's own loop written plainly, against all subsets, and against its user."""

import itertools
import os
import pickle
import signal
import subprocess
import sys
import warnings

import numpy as np
import pytest
from plain_setgen import PlainSetGen
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_wine
from small_tables import random_small_table

from clearwood import C45Classifier, CARTClassifier, Column, ID3Classifier, SetGenClassifier, Table
from clearwood import threads as threads_module
from clearwood.evolve.setgen import trees as trees_module
from clearwood.evolve.setgen.classifier import SetGenSettings
from clearwood.evolve.setgen.trees import SubsetTrees
from clearwood.learn.confidence_level import LEVELS, counted_folds
from clearwood.learn.registry import make_learner
from clearwood.read import datasets

SMALL = {"evaluations": 60, "population_size": 12, "cv": 3, "random_state": 0}


def wine(n_features=13):
    bunch = load_wine()
    return Table(
        [Column(name) for name in bunch.feature_names[:n_features]],
        bunch.data.T[:n_features],
        target=Column("grower", tuple(bunch.target_names.tolist())),
        y=bunch.target,
    )


def noise(n_rows=60, n_features=5, seed=0):
    rng = np.random.default_rng(seed)
    y = np.r_[np.zeros(n_rows * 2 // 3, dtype=int), np.ones(n_rows - n_rows * 2 // 3, dtype=int)]
    columns = [Column(f"n{i}") for i in range(n_features)]
    return Table(columns, rng.random((n_features, n_rows)), target=Column("class", ("a", "b")), y=y)


@pytest.mark.parametrize("seed", range(6))
def test_equals_the_papers_loop_written_plainly(seed):
    rng = np.random.default_rng(seed)
    table = random_small_table(rng, max_rows=40)
    base = C45Classifier(confidence=0.25, error_estimate="c4.5")
    twin = np.random.default_rng(seed)
    part, folds = counted_folds(table, 4, twin)
    assert folds.max() > 0
    plain = PlainSetGen(part, folds, base, twin, population_size=8, genome_size=part.n_features)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        population = plain.run(40)
        clf = SetGenClassifier(
            population_size=8, evaluations=40, cv=4, confidence=0.25, random_state=np.random.default_rng(seed)
        ).fit(table)
    best = max(fitness for fitness, _ in population)
    genome = next(genome for fitness, genome in population if fitness == best)
    assert clf.fitness_ == pytest.approx(best, abs=1e-12)
    assert clf.features_ == tuple(part.feature_names[f] for f in sorted({g for g in genome if g is not None}))
    held = [{g for g in genome if g is not None} for _, genome in population]
    frequency = [np.mean([f in subset for subset in held]) for f in range(part.n_features)]
    assert list(clf.feature_frequency_.values()) == pytest.approx(frequency)
    assert clf.history_["mean_fitness"][-1] == pytest.approx(np.mean([fitness for fitness, _ in population]))


def test_finds_the_best_of_all_subsets():
    table = wine(7)
    rng = np.random.default_rng(3)
    part, folds = counted_folds(table, 5, rng)
    plain = PlainSetGen(
        part, folds, C45Classifier(confidence=0.25, error_estimate="c4.5"), rng, population_size=1, genome_size=7
    )
    every = {subset: plain.fitness_of(list(subset)) for n in range(8) for subset in itertools.combinations(range(7), n)}
    clf = SetGenClassifier(
        evaluations=800, population_size=40, cv=5, confidence=0.25, random_state=np.random.default_rng(3)
    ).fit(table)
    assert clf.fitness_ == pytest.approx(max(every.values()), abs=1e-12)
    chosen = tuple(table.feature_names.index(name) for name in clf.features_)
    assert every[chosen] == pytest.approx(clf.fitness_, abs=1e-12)


def test_the_final_tree_is_the_learners_own_on_the_subset():
    table = wine()
    clf = SetGenClassifier(**SMALL).fit(table)
    own = C45Classifier(confidence=clf.confidence_, error_estimate="c4.5").fit(table.select(clf.features_))
    assert clf.tree_ == own.tree_
    assert clf.tree_.learner == "SET-GEN (C4.5)"
    assert set(clf.tree_.features) <= set(clf.features_) < set(table.feature_names)
    assert clf.confidence_ in LEVELS


def test_history_tells_how_it_went():
    clf = SetGenClassifier(**SMALL).fit(wine())
    history = clf.history_
    assert list(history) == ["evaluations", "best_fitness", "mean_fitness", "A", "S", "F", "distinct"]
    assert history["evaluations"][-1] == 60 and history["distinct"][-1] <= 60
    assert (np.diff(history["best_fitness"]) >= 0).all() and (np.diff(history["mean_fitness"][12:]) >= 0).all()
    last = {name: column[-1] for name, column in history.items()}
    assert clf.fitness_ == last["best_fitness"]
    assert clf.fitness_ == pytest.approx(0.75 * last["A"] + 0.25 * (1 - (last["S"] + last["F"]) / 2))
    assert last["F"] == pytest.approx(len(clf.features_) / 13)
    pytest.importorskip("matplotlib")
    ax = clf.plot_history()
    assert {text.get_text() for text in ax.get_legend().get_texts()} == {
        "best fitness",
        "mean fitness",
        "accuracy of the best",
    }


@pytest.mark.parametrize("base", [None, CARTClassifier(pruning=0.02), C45Classifier(max_leaves=4)])
def test_same_result_for_any_number_of_workers(base, monkeypatch):
    settings = {**SMALL, "evaluations": 30 if base else 200, "base_learner": base}
    one = SetGenClassifier(**settings, n_jobs=1).fit(wine(6))
    monkeypatch.setattr(trees_module, "CELLS_WORTH_THREADS", 0)
    monkeypatch.setattr(threads_module, "cores", lambda: 16)  # so many begin, whatever this machine has
    for n_jobs in (2, 7, 16):
        other = SetGenClassifier(**settings, n_jobs=n_jobs).fit(wine(6))
        assert one.tree_ == other.tree_ and one.history_ == other.history_
        assert one.feature_frequency_ == other.feature_frequency_


def test_batches_are_another_search_and_as_repeatable():
    table = wine()
    one = SetGenClassifier(**SMALL).fit(table)
    four, again = (SetGenClassifier(**SMALL, batch_size=4).fit(table) for _ in range(2))
    assert four.history_ == again.history_
    assert four.history_ != one.history_
    assert four.history_["evaluations"][-1] == 60


@pytest.mark.parametrize(
    "base",
    [
        ID3Classifier(max_depth=3),
        "cart",
        CARTClassifier(pruning=0.02),
        C45Classifier(criterion="gain", max_leaves=5),
        C45Classifier(prune=False, collapse=False),
    ],
)
def test_any_greedy_learner_can_be_the_base(base):
    table = wine(6)
    clf = SetGenClassifier(**{**SMALL, "evaluations": 20}, base_learner=base).fit(table)
    twin = make_learner(base, random_state=0) if isinstance(base, str) else clone(base)
    if clf.confidence_ is not None:
        twin.set_params(confidence=clf.confidence_)
    assert clf.tree_ == twin.fit(table.select(clf.features_)).tree_
    assert clf.base_learner is base, "the user's learner is left alone"


def test_fast_and_plain_evaluation_agree():
    """C4.5 by the batch kernel and, as a subclass that the kernel does not know, fit by fit."""

    class Own(C45Classifier):
        pass

    table = datasets_or_skip("heart-c").select(range(8))
    settings = {"evaluations": 25, "population_size": 10, "cv": 4, "confidence": 0.25, "random_state": 1}
    fast = SetGenClassifier(base_learner=C45Classifier(), **settings).fit(table)
    plain = SetGenClassifier(base_learner=Own(), **settings).fit(table)
    assert fast.tree_ == plain.tree_
    assert fast.history_["best_fitness"].tolist() == pytest.approx(plain.history_["best_fitness"].tolist(), abs=1e-12)


def test_costs_turn_the_choice_to_cheap_features():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=120)
    signal_ = y + 0.05 * rng.random(120)
    table = Table(
        [Column("dear"), Column("cheap"), Column("noise")],
        [signal_, signal_ + 0.01, rng.random(120)],
        target=Column("class", ("a", "b")),
        y=y,
    )
    for dear, cheap in (("dear", "cheap"), ("cheap", "dear")):
        clf = SetGenClassifier(**SMALL, feature_costs={dear: 100, cheap: 1, "noise": 1}).fit(table)
        assert clf.features_ == (cheap,)
        assert clf.history_["F"][-1] == pytest.approx(1 / 102)


def test_groups_come_together():
    table = wine()
    names = table.feature_names
    clf = SetGenClassifier(**SMALL, groups={"odd": names[1::2], "even": names[::2]}).fit(table)
    assert clf.features_ in (names[1::2], names[::2])
    assert len(set(clf.feature_frequency_.values())) <= 2


def test_an_empty_subset_is_one_leaf_and_its_fitness_is_the_formulas():
    table = noise()
    clf = SetGenClassifier(**{**SMALL, "cv": 2, "accuracy_weight": 0.0}).fit(table)
    assert clf.features_ == () and clf.tree_.n_nodes == 1
    assert clf.fitness_ == pytest.approx(1 - (1 / 30 + 0) / 2)
    assert (clf.predict(table) == "a").all()
    arrays = SetGenClassifier(**{**SMALL, "accuracy_weight": 0.0}).fit(table.numeric.T, table.y)
    assert (arrays.predict(table.numeric.T) == 0).all()


def test_more_features_than_bits_in_a_word():
    rng = np.random.default_rng(5)
    y = rng.integers(2, size=80)
    cells = rng.random((200, 80))
    cells[170] = y + 0.2 * rng.random(80)
    clf = SetGenClassifier(evaluations=250, population_size=30, cv=3, random_state=0).fit(cells.T, y)
    assert "x170" in clf.features_ and clf.tree_.features == ("x170",)
    small = SetGenClassifier(evaluations=100, genome_size=4, cv=3, random_state=0).fit(cells.T, y)
    assert len(small.features_) <= 4


def test_needs_only_the_chosen_columns_to_predict():
    bunch = load_breast_cancer(as_frame=True)
    clf = SetGenClassifier(**SMALL).fit(bunch.data, bunch.target)
    names = [c.name for c in clf.tree_.columns]
    assert tuple(names) == clf.features_
    bare = Table([Column(n) for n in names], bunch.data[names].to_numpy().T)
    assert (clf.classes_[clf.tree_.predict(bare)] == clf.predict(bunch.data)).all()
    with pytest.warns(UserWarning, match="valid feature names"):
        assert (clf.predict(bunch.data.to_numpy()) == clf.predict(bunch.data)).all()


def test_rare_classes_and_few_rows():
    rng = np.random.default_rng(0)
    X, y = rng.random((7, 3)), np.array([0, 0, 0, 1, 1, 2, 3])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clf = SetGenClassifier(evaluations=20, population_size=5, random_state=0).fit(X, y)
    assert set(clf.predict(X)) <= {0, 1, 2, 3}
    with pytest.raises(ValueError, match="at least 2 rows"):
        SetGenClassifier().fit(X[:1], y[:1])


def test_lung_cancer_runs_clean():
    table = datasets_or_skip("lung-cancer")
    assert (table.n_rows, table.n_features) == (32, 56)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clf = SetGenClassifier(evaluations=300, random_state=0).fit(table)
    assert len(clf.tree_.features) <= len(clf.features_) < 28


def test_interrupt_leaves_the_best_so_far():
    def stop(done, total, row):
        if done >= 30:
            signal.raise_signal(signal.SIGINT)

    table = wine()
    with pytest.warns(UserWarning, match=r"interrupted after 3\d of 60 evaluations"):
        clf = SetGenClassifier(**SMALL, progress=stop).fit(table)
    assert clf.interrupted_ and clf.tree_.n_nodes > 1
    assert (clf.predict(table) == np.array(table.classes)[table.y]).mean() > 0.8
    assert not SetGenClassifier(**SMALL).fit(table).interrupted_


def test_checkpoint_of_other_data_or_settings_is_refused(tmp_path):
    file = tmp_path / "run"
    SetGenClassifier(**SMALL, checkpoint=file).fit(wine())
    with pytest.raises(ValueError, match="other data or other settings"):
        SetGenClassifier(**SMALL, checkpoint=file).fit(wine(6))
    with pytest.raises(ValueError, match="other data or other settings"):
        SetGenClassifier(**{**SMALL, "cv": 4}, checkpoint=file).fit(wine())
    again = SetGenClassifier(**SMALL, checkpoint=file, n_jobs=2).fit(wine())
    assert again.history_ == SetGenClassifier(**SMALL).fit(wine()).history_


KILLED = """
import sys, time
import clearwood.evolve.run as loop
from sklearn.datasets import load_wine
from clearwood import SetGenClassifier
loop.run.__kwdefaults__["save_every"] = 0.0
def slowly(done, total, row):
    print(done, flush=True)
    time.sleep(0.02)
X, y = load_wine(return_X_y=True)
small = {"evaluations": 60, "population_size": 12, "cv": 3, "random_state": 0}
SetGenClassifier(**small, checkpoint=sys.argv[1], progress=slowly).fit(X, y)
"""


def test_a_killed_run_resumes_and_ends_the_same(tmp_path):
    file = tmp_path / "run"
    with subprocess.Popen([sys.executable, "-c", KILLED, str(file)], stdout=subprocess.PIPE, env=os.environ) as process:
        for line in process.stdout:
            if int(line) >= 25:
                process.kill()
                break
        process.wait()
    assert process.returncode == -signal.SIGKILL
    X, y = load_wine(return_X_y=True)
    seen = []
    resumed = SetGenClassifier(**SMALL, checkpoint=file, progress=lambda done, total, row: seen.append(done)).fit(X, y)
    whole = SetGenClassifier(**SMALL).fit(X, y)
    assert seen[0] > 20, "it did not begin anew"
    assert resumed.history_ == whole.history_ and resumed.tree_ == whole.tree_


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("population_size", 1),
        ("evaluations", 0),
        ("genome_size", 0),
        ("crossover_rate", 1.1),
        ("mutation_rate", -0.1),
        ("accuracy_weight", 2),
        ("operator_shares", (1, 1)),
        ("operator_shares", (1, -1, 1)),
        ("operator_shares", (0, 0, 0)),
        ("operator_shares", "abc"),
        ("operator_shares", 3),
        ("cv", 1),
        ("cv", "ten"),
        ("confidence", 0),
        ("confidence", "best"),
        ("batch_size", 0),
        ("redeal_every", 0),
        ("base_learner", SetGenClassifier()),
        ("base_learner", "c54"),
        ("base_learner", "setgen"),
        ("base_learner", C45Classifier(class_weight="balanced")),
        ("checkpoint", 3),
        ("progress", "yes"),
        ("random_state", -1),
        ("groups", 5),
        ("feature_costs", 5),
    ],
)
def test_wrong_options_are_named(option, value):
    with pytest.raises((ValueError, TypeError), match=option):
        SetGenClassifier(**{option: value}).fit(wine())


def test_what_is_too_much_is_refused_before_there_is_data():
    for option in ("population_size", "genome_size"):
        with pytest.raises(ValueError, match=f"{option} must be a whole number between . and 1000000"):
            SetGenClassifier(**{option: 10**12})._check_parameters()
    for wrong in ({"groups": 5}, {"groups": [3]}, {"groups": "ab"}, {"feature_costs": 5}):
        with pytest.raises(TypeError, match=f"{next(iter(wrong))} must"):
            SetGenClassifier(**wrong)._check_parameters()
    with pytest.raises(ValueError, match=r"leaving out, as in \[1,2,3\], got '1,2,3'"):
        SetGenClassifier(operator_shares="1,2,3")._check_parameters()


def test_a_distilled_tree_of_no_features_is_a_leaf():
    """A subset may be empty, and the forest that teaches then has no feature to draw."""
    table = Table([], [], target=Column("class", ("a", "b")), y=[0, 1, 1] * 10)
    base = "distilled:cv=2,n_synthetic=20"
    clf = SetGenClassifier(base_learner=base, evaluations=4, population_size=2, cv=2, random_state=0).fit(table)
    assert clf.tree_.n_leaves == 1 and clf.features_ == ()


def test_base_learners_own_faults_are_named():
    with pytest.raises(ValueError, match="min_leaf"):
        SetGenClassifier(base_learner=C45Classifier(min_leaf=-1)).fit(wine())


def test_pickles_and_clones():
    clf = SetGenClassifier(**SMALL).fit(wine())
    twin = pickle.loads(pickle.dumps(clf))
    assert twin.tree_ == clf.tree_ and twin.history_ == clf.history_
    assert clone(clf).get_params() == clf.get_params() == {**SetGenSettings().get_params(), **SMALL}


def test_missing_nominal_and_weighted_rows():
    table = datasets_or_skip("hepatitis")
    weighted = table.with_weights(1.0 + (np.arange(table.n_rows) % 3))
    clf = SetGenClassifier(evaluations=60, population_size=20, cv=5, random_state=0).fit(weighted)
    own = C45Classifier(confidence=clf.confidence_, error_estimate="c4.5").fit(weighted.select(clf.features_))
    assert clf.tree_ == own.tree_


def test_subsets_seen_before_are_not_judged_again(monkeypatch):
    judged = []

    def judge(self, masks, call=SubsetTrees.begin):
        judged.extend(mask.tobytes() for mask in masks)
        return call(self, masks)

    monkeypatch.setattr(SubsetTrees, "begin", judge)
    clf = SetGenClassifier(evaluations=1000, population_size=20, cv=3, random_state=0).fit(wine(4))
    assert len(judged) == len(set(judged)) == clf.history_["distinct"][-1] <= 16
    assert clf.history_["evaluations"][-1] == 1000


def datasets_or_skip(name):
    try:
        return datasets.load(name)
    except FileNotFoundError as error:
        pytest.skip(str(error))


def test_ctrl_c_ends_a_step_of_a_slow_learner_at_its_next_fold(monkeypatch):
    folds = []

    def fold(self, mask, number, whole=SubsetTrees._fold):
        folds.append(number)
        if len(folds) == 12:
            signal.raise_signal(signal.SIGINT)
        return whole(self, mask, number)

    monkeypatch.setattr(SubsetTrees, "_fold", fold)
    clf = SetGenClassifier(evaluations=50, cv=5, base_learner="cart:pruning=0.01", random_state=0, progress=False)
    with pytest.warns(UserWarning, match="interrupted after"):
        clf.fit(wine())
    assert clf.interrupted_ and len(folds) == 12


def test_folds_dealt_anew_change_the_search_and_need_a_number_of_folds():
    table = wine()
    once, anew = (SetGenClassifier(**SMALL, redeal_every=every).fit(table) for every in (None, 20))
    assert anew.history_["A"].tolist() != once.history_["A"].tolist()
    assert anew.fitness_ == SetGenClassifier(**SMALL, redeal_every=20, n_jobs=2).fit(table).fitness_
    with pytest.raises(ValueError, match="redeal_every deals the folds itself, so cv must be a whole number"):
        SetGenClassifier(**{**SMALL, "cv": [(np.arange(5), np.arange(5, 9))]}, redeal_every=5).fit(table)
