"""Trees grown from a Scan are those grown in memory, node for node, whatever is counted by the engine."""

import warnings

import numpy as np
import pytest
from awkward_tables import awkward_table
from golden_records import arff_path, compare, generated_names, load_records, options_to_params
from scanned_engines import scan_in_sqlite
from scanned_tables import differences, scan_of
from sklearn.base import clone

import clearwood as cw
from clearwood.learn.registry import LEARNERS as LEARNER_NAMES
from clearwood.learn.registry import make_learner
from clearwood.learn.scanned import best_cut, fit, levels, questions, routes, segments
from clearwood.learn.scanned.questions import Questions
from clearwood.learn.scanned.router import Router

LEARNERS = [
    cw.C45Classifier(),
    cw.C45Classifier(criterion="gain", confidence=0.4),
    cw.C45Classifier(criterion="gini", binary_splits=True, mdl_correction=False, min_gap=0),
    cw.C45Classifier(criterion="twoing", binary_splits=True, prune=False),
    cw.C45Classifier(class_weight="balanced", error_estimate="c4.5"),
    cw.C45Classifier(max_depth=3, max_leaves=4),
    cw.ID3Classifier(),
    cw.ID3Classifier(criterion="gain_ratio", max_depth=3),
]


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of tiny units and missing classes, as in memory
        yield


@pytest.fixture
def tiny_segments(monkeypatch):
    """Few bins, and nothing by value unless it must be: so bounds decide."""
    monkeypatch.setattr(segments, "BINS", 5)
    monkeypatch.setattr(segments, "ROWS_IN_PART", 2)
    monkeypatch.setattr(segments, "FEW_ROWS", 3)
    monkeypatch.setattr(segments, "MOST_RUNS", 2)
    monkeypatch.setattr(best_cut, "FIRST_ROWS", 4)


@pytest.mark.parametrize("name", generated_names()[::8])
def test_the_golden_trees(name, tmp_path):
    table = cw.read(arff_path(name))
    scan = scan_of(table, tmp_path, in_memory=30, threads=1)
    for record in load_records(name)[::9]:
        tree = cw.C45Classifier(**options_to_params(record["options"])).fit(scan).tree_
        assert compare(tree, record, table) == [], record["options"]


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@pytest.mark.parametrize(("seed", "streams"), [(0, True), (1, True), (2, False), (3, True), (4, False)])
def test_awkward_tables_by_bounds(seed, streams, learner, tmp_path, tiny_segments, monkeypatch):
    if not streams:
        monkeypatch.setattr(fit, "ask", Questions)
    table = awkward_table(seed)
    scan = scan_of(table, tmp_path, in_memory=40, threads=2)
    assert differences(learner.fit(scan).tree_, learner.fit(table).tree_) == []


@pytest.mark.parametrize("learner", LEARNERS[::2], ids=str)
@pytest.mark.parametrize("seed", [0, 4, 7])
def test_a_function_finds_the_nodes_of_rows(seed, learner, tmp_path, tiny_segments, monkeypatch):
    monkeypatch.setattr(fit, "ask", Questions)
    monkeypatch.setattr(routes, "MANY_NODES", 1)
    called = []
    call = Router.__call__
    monkeypatch.setattr(Router, "__call__", lambda self, *blocks: called.append(1) or call(self, *blocks))
    table = _with_names(awkward_table(seed))
    scan = scan_of(table, tmp_path, in_memory=40, threads=1)
    assert differences(learner.fit(scan).tree_, learner.fit(table).tree_) == []
    assert called


@pytest.mark.parametrize("seed", range(3, 8))
def test_awkward_tables_by_value(seed, tmp_path):
    table = awkward_table(seed)
    scan = scan_of(table, tmp_path, in_memory=0, threads=1)
    assert differences(cw.C45Classifier().fit(scan).tree_, cw.C45Classifier().fit(table).tree_) == []


def _with_names(table: cw.Table) -> cw.Table:
    """A table with one more column, of 14 values, some of them rare."""
    rng = np.random.default_rng(table.n_rows)
    codes = np.minimum(rng.geometric(0.25, table.n_rows) - 1, 13)
    columns = [*table.columns, cw.Column("name", tuple("abcdefghijklmn"))]
    data = [*(table.column(i) for i in range(table.n_features)), codes]
    return cw.Table(columns, data, target=table.target, y=table.y, weights=table.weights)


@pytest.mark.parametrize(
    "learner",
    [
        cw.CARTClassifier(pruning=None, max_depth=6),
        cw.CARTClassifier(pruning=0.003, criterion="twoing", class_weight="balanced"),
        cw.CARTClassifier(pruning=None, criterion="gain", min_value_rows=1, min_leaf=4, max_leaves=7),
    ],
    ids=str,
)
@pytest.mark.parametrize("seed", [1, 5])
def test_cart(seed, learner, tmp_path, tiny_segments):
    table = _with_names(awkward_table(seed))
    scan = scan_of(table, tmp_path, in_memory=60, threads=1)
    ours, other = clone(learner).fit(scan), clone(learner).fit(table)
    assert differences(ours.tree_, other.tree_) == []
    np.testing.assert_allclose(ours.pruning_path_.alphas, other.pruning_path_.alphas, atol=1e-12)
    assert ours.alpha_ == other.alpha_


def test_everything_in_memory(tmp_path):
    table = awkward_table(11)
    assert (
        differences(cw.C45Classifier().fit(scan_of(table, tmp_path)).tree_, cw.C45Classifier().fit(table).tree_) == []
    )


def test_few_different_rows_are_counted_as_copies(tmp_path):
    table = _letters()
    scan = scan_of(table, tmp_path, in_memory=150)
    for learner in LEARNERS:
        assert differences(learner.fit(scan).tree_, learner.fit(table).tree_) == []


@pytest.mark.parametrize("lacking", [0.0, 0.1], ids=["whole", "lacking"])
@pytest.mark.parametrize(
    "learner", [*LEARNERS, cw.CARTClassifier(pruning=None), cw.CARTClassifier(pruning=0.001)], ids=str
)
def test_few_different_rows_with_numbers(lacking, learner, tmp_path, monkeypatch):
    """Copies are grouped with numeric columns too, unless C4.5 would count shared rows otherwise."""
    table = _few_numbers(lacking)
    scan = scan_of(table, tmp_path, in_memory=400, threads=1)
    monkeypatch.setattr(levels.Levels, "grow", _not_grown if not lacking else levels.Levels.grow)
    if getattr(learner, "class_weight", None) is not None:
        monkeypatch.undo()  # class weights are no copies
    assert differences(learner.fit(scan).tree_, learner.fit(table).tree_) == []


def _not_grown(self):
    raise AssertionError("the rows are few, but were counted level by level")


def test_many_different_rows_are_not_grouped(tmp_path, monkeypatch):
    """A look at some rows is enough to see that grouping would not help."""
    table = awkward_table(2)
    monkeypatch.setattr(questions.Questions, "grouped_rows", _not_grouped)
    tree = cw.C45Classifier().fit(scan_of(table, tmp_path, in_memory=40, threads=1)).tree_
    assert differences(tree, cw.C45Classifier().fit(table).tree_) == []


def _not_grouped(self, most):
    raise AssertionError("nearly all rows differ, but were grouped")


def _few_numbers(lacking: float) -> cw.Table:
    """Rows of one letter and two numbers of few values, one of them uneven, some without a class."""
    rng = np.random.default_rng(4)
    n = 3000
    letter, small, uneven = rng.integers(0, 3, n), rng.integers(0, 9, n) / 4.0, rng.choice([0.1, 0.2, 5.0, 7.5, 1e6], n)
    y = np.where(rng.random(n) < 0.2, rng.integers(-1, 2, n), (small > 1) ^ (uneven > 6) ^ (letter == 1))
    small[rng.random(n) < lacking] = np.nan
    letter[rng.random(n) < lacking] = -1
    columns = [cw.Column("letter", tuple("abc")), cw.Column("small"), cw.Column("uneven")]
    return cw.Table(columns, [letter, small, uneven], target=cw.Column("class", ("no", "yes")), y=y)


def _letters() -> cw.Table:
    rng = np.random.default_rng(0)
    first, second = rng.integers(-1, 4, 600), rng.integers(0, 5, 600)
    y = np.where(rng.random(600) < 0.2, rng.integers(0, 3, 600), (first + second) % 3)
    columns = [cw.Column("first", tuple("abcd")), cw.Column("second", tuple("vwxyz"))]
    return cw.Table(columns, [first, second], target=cw.Column("class", tuple("klm")), y=y)


def test_rows_without_a_class_are_said(tmp_path):
    table = awkward_table(0).with_target(cw.Column("class", ("no", "yes")), None)
    scan = scan_of(table.with_target(cw.Column("class", ("no", "yes")), [-1] * table.n_rows), tmp_path)
    with pytest.raises(ValueError, match="no row has a class"):
        cw.C45Classifier().fit(scan)


def test_a_table_that_changes(tmp_path, monkeypatch):
    table = awkward_table(3)
    scan = scan_of(table, tmp_path, in_memory=40)
    scan_of(table.take(np.arange(table.n_rows) > 5), tmp_path)
    with pytest.raises(cw.scan.EngineError, match="no longer what it was when it was looked at"):
        cw.C45Classifier().fit(scan)
    scan = scan_of(table, tmp_path, in_memory=40)
    grow = levels.Levels.grow

    def grow_and_write(self):
        root = grow(self)
        scan_of(table.take(np.arange(table.n_rows) > 5), tmp_path)
        return root

    monkeypatch.setattr(levels.Levels, "grow", grow_and_write)
    with pytest.raises(cw.scan.EngineError, match="no longer what it was when it was looked at"):
        cw.C45Classifier(prune=False).fit(scan)


def test_a_scan_brings_its_own_target(tmp_path):
    scan = scan_of(awkward_table(0), tmp_path)
    with pytest.raises(ValueError, match="brings its own target"):
        cw.C45Classifier().fit(scan, [1, 2])


@pytest.mark.parametrize("name", sorted(set(LEARNER_NAMES) - {"c45", "id3", "cart"}))
def test_other_learners_say_what_to_do(name, tmp_path):
    with pytest.raises(TypeError, match=r"pass scan\.sample\(n\)"):
        make_learner(name).fit(scan_of(awkward_table(0), tmp_path))


def test_a_confidence_is_not_chosen_without_rows(tmp_path):
    with pytest.raises(ValueError, match="cross-validation, which needs the rows in memory"):
        cw.C45Classifier(confidence="cv").fit(scan_of(awkward_table(0), tmp_path))
    with pytest.raises(ValueError, match="makes folds of rows, which needs them in memory"):
        cw.CARTClassifier(cv=[([0, 1], [2, 3])]).fit(scan_of(awkward_table(0), tmp_path))


@pytest.mark.parametrize("in_memory", [0, 300])
def test_values_denser_than_the_gap(in_memory, tmp_path, tiny_segments):
    """Where most neighbours are closer than ``min_gap``, parts narrower than it tell where cuts can be."""
    rng = np.random.default_rng(in_memory)
    n = 2000
    dense, sparse = rng.integers(0, 250, n) * 1e-6, np.where(rng.random(n) < 0.9, rng.random(n) * 1e-4, rng.random(n))
    dense[(dense > 1e-4) & (dense < 1.15e-4)] = 1e-4  # one gap that is large enough
    y = (rng.random(n) < np.where((dense > 1.1e-4) != (sparse > 0.3), 0.8, 0.2)).astype(int)
    columns = [cw.Column("dense"), cw.Column("sparse")]
    table = cw.Table(columns, [dense, sparse], target=cw.Column("class", ("no", "yes")), y=y)
    learner = cw.C45Classifier(min_leaf=5)
    ours, other = learner.fit(scan_of(table, tmp_path, in_memory=in_memory, threads=1)).tree_, learner.fit(table).tree_
    assert {0, 1} <= set(other.feature.tolist())
    assert differences(ours, other) == []


def test_deep_trees_of_rows_that_lack_values_in_sqlite(tmp_path):
    """Its parser holds 100 open tokens: deep trees are not one CASE inside another all the way down."""
    rng = np.random.default_rng(12)
    n = 3000
    cells = rng.random((3, n))
    y = ((cells * [[40.0], [7.0], [3.0]]).astype(int).sum(axis=0) % 2).astype(int)
    cells[rng.random((3, n)) < 0.03] = np.nan
    columns = [cw.Column("a"), cw.Column("b"), cw.Column("c")]
    table = cw.Table(columns, list(cells), target=cw.Column("class", ("no", "yes")), y=y)
    learner = cw.CARTClassifier(pruning=None, max_depth=16, min_leaf=5)
    ours, other = learner.fit(scan_in_sqlite(table, tmp_path, in_memory=20)).tree_, learner.fit(table).tree_
    assert other.depth > 12
    assert differences(ours, other) == []
