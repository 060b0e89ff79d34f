"""The whole procedure, on small tables and short budgets."""

import numpy as np
import pytest
from nominal_planes import sky_tree

import clearwood as cw
from clearwood.best import splits, work
from clearwood.best.amounts import range_text
from clearwood.best.candidates import complexity, grow_stage
from clearwood.best.report import answer_page

QUICK = {"budget": 1.0, "n_jobs": 1, "progress": False}


@pytest.fixture(autouse=True)
def no_clock(monkeypatch):
    """However slow the machine is, nothing is cut short."""
    monkeypatch.setattr(work, "LEAST_PATIENCE", 1e6)


def steps(n=150, seed=0, noise=0.05, more=()):
    """Two numbers and a colour that tell the class, but for some noise; further columns by name."""
    rng = np.random.default_rng(seed)
    x, z, colour = rng.normal(size=n), rng.normal(size=n), rng.integers(3, size=n)
    y = np.where(x > 0.2, 1, colour == 0).astype(int)
    y = np.where(rng.random(n) < noise, 1 - y, y)
    columns = [cw.Column("x"), cw.Column("z"), cw.Column("colour", ("red", "green", "blue"))]
    cells = [x, z, colour]
    for name, make in dict(more).items():
        column, made = make(y, rng)
        columns.append(column if isinstance(column, cw.Column) else cw.Column(name))
        cells.append(made)
    return cw.Table(columns, cells, target=cw.Column("sold", ("no", "yes")), y=y, name="steps")


def rare(shift=1.6):
    """A class that one column tells in part; the greater the shift, the rarer it is."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 400))
    y = (x[0] + 0.7 * rng.normal(size=400) > shift).astype(int)
    return cw.Table([cw.Column("a"), cw.Column("b")], x, target=cw.Column("fraud", ("no", "yes")), y=y, name="rare")


def sentence(result):
    return " ".join(str(result).split())


def test_each_value_that_a_sum_asks_for_is_read_and_counted():
    assert sky_tree().n_leaves == 3 and complexity(sky_tree()) == 4


def test_sums_are_counted_beside_the_leaves():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 80))
    y = (x.sum(axis=0) > 0).astype(int)
    table = cw.Table([cw.Column("a"), cw.Column("b")], x, target=cw.Column("k", ("no", "yes")), y=y)
    result = cw.best(table, **QUICK | {"budget": 5.0})
    text = sentence(result)
    tree = result.tree
    assert tree.plane(0).influences is not None
    assert tree.n_leaves < complexity(tree) and f"{complexity(tree)} with the further terms of its tests), 2 f" in text
    assert f"{tree.n_leaves} leaves ({complexity(tree)} with the further terms of its tests): " in text
    chosen = {choice.tree.n_leaves for choice in result.judgement.choices}
    assert f"The repetitions chose trees of {range_text(list(chosen))} leaves." in text


def test_a_tree_with_its_error_and_its_reason():
    result = cw.best(steps(), **QUICK)
    assert result.tells and 1 < result.tree.n_leaves < 8
    assert result.interval.low < result.error < result.interval.high < 0.3
    assert "within one standard error" in result.reason
    text = sentence(result)
    assert text.endswith("clearwood.best(table, budget=1.0, random_state=0)")
    for part in ("The tree to use", "on rows that it has not seen", "More or fewer leaves", "What readability costs",
                 "How stable its splits are", "Most errors are made where", "Calibration", "recall"):  # fmt: skip
        assert part in text, part


def test_the_same_seed_gives_the_same_answer_for_any_number_of_threads():
    table = steps()
    one, two = (cw.best(table, budget=1.0, n_jobs=n, progress=False, random_state=3) for n in (1, 3))
    assert one.tree == two.tree and str(one) == str(two)
    other = cw.best(table, **QUICK, random_state=4)
    assert not np.array_equal(other.judgement.rows, one.judgement.rows)


def test_the_judged_trees_have_not_seen_the_rows_that_judge_them(monkeypatch):
    """The honest part: nothing that a repetition grows or chooses by holds a row of its test."""
    result = cw.best(steps(), **QUICK)
    scheme = result.work.scheme
    for outer in scheme.outers:
        test = scheme.tests[outer.test]
        seen = [scheme.fits[test.fit]]
        for (number,) in outer.inner:
            inner = scheme.tests[number]
            seen += [scheme.fits[inner.fit], inner.rows]
            assert not np.intersect1d(scheme.fits[inner.fit], inner.rows).size
        assert all(not np.intersect1d(rows, test.rows).size for rows in seen)


def test_arrays_and_frames_keep_their_labels():
    table = steps()
    frame = {"x": table.column("x"), "z": table.column("z")}
    import pandas as pd

    y = np.where(table.column("x") > 0, 7, 3)
    result = cw.best(pd.DataFrame(frame), y, **QUICK)
    assert result.tree.classes == (3, 7)
    assert cw.best(np.column_stack(list(frame.values())), y, **QUICK).tree.features == ("x0",)


# -- odd tables -----------------------------------------------------------------------------------


def test_noise_is_called_noise():
    table = steps()
    shuffled = table.with_target(table.target, np.random.default_rng(8).permutation(table.y))
    result = cw.best(shuffled, **QUICK)
    assert not result.tells and result.tree.n_leaves == 1
    assert "do not tell sold" in sentence(result)
    assert result.interval.low < result.error < result.interval.high


def test_an_identifier_is_left_out_and_can_be_kept():
    more = {"row": lambda y, rng: (None, np.arange(len(y)) + 1000.0)}
    table = steps(more=more)
    result = cw.best(table, **QUICK)
    remedy = "Left out: 'row' names the rows (an identifier); keep=['row'] (--keep row) keeps it."
    assert remedy in sentence(result)
    assert "row" not in result.table.feature_names
    assert "row" in cw.best(table, keep=["row"], **QUICK).table.feature_names
    with pytest.raises(ValueError, match="keep names 'number'"):
        cw.best(table, keep=["number"], **QUICK)


def test_a_leak_is_named_and_left_out_on_request_only():
    more = {"fee": lambda y, rng: (None, np.where(y == 1, 12.5, 0.0) + 0.01 * rng.random(len(y)))}
    table = steps(noise=0.2, more=more)
    result = cw.best(table, **QUICK)
    assert "Careful: 'fee' alone tells" in sentence(result) and result.tree.features == ("fee",)
    without = cw.best(table, drop_leaks=True, **QUICK)
    assert "Left out: 'fee' alone tells" in sentence(without) and "fee" not in without.tree.features


def test_the_target_under_another_name_is_recognised():
    more = {"outcome": lambda y, rng: (cw.Column("outcome", ("lost", "won")), y)}
    result = cw.best(steps(noise=0.2, more=more), **QUICK)
    assert "Careful: 'outcome' is sold under another name" in sentence(result)


def test_two_rows_are_too_few():
    result = cw.best(steps().take([0, np.argmax(steps().y != steps().y[0])]), **QUICK)
    assert result.tree.n_leaves == 1 and "2 rows are too few" in sentence(result)


def test_one_class_leaves_nothing_to_tell():
    table = steps()
    result = cw.best(table.take(table.y == 1), **QUICK)
    assert result.tree.n_leaves == 1 and "have the class yes: there is nothing to tell apart" in sentence(result)


def test_more_columns_than_rows():
    rng = np.random.default_rng(1)
    cells = rng.normal(size=(500, 60))
    columns = [cw.Column(f"x{i}") for i in range(500)]
    noise = cw.Table(columns, cells, target=cw.Column("sold", ("no", "yes")), y=rng.integers(2, size=60))
    result = cw.best(noise, **QUICK)
    assert not result.tells and "There are more columns (500) than rows (60)" in sentence(result)


def test_fifty_classes():
    rng = np.random.default_rng(2)
    y = np.repeat(np.arange(50), 8)
    columns = [cw.Column("x"), cw.Column("z")]
    cells = [y % 10 + rng.normal(scale=0.1, size=400), y // 10 + rng.normal(scale=0.1, size=400)]
    table = cw.Table(columns, cells, target=cw.Column("kind", tuple(f"k{i:02}" for i in range(50))), y=y)
    result = cw.best(table, **QUICK)
    assert result.tells and result.error < 0.2 and result.tree.n_leaves >= 45
    assert "50 classes" in sentence(result) and "and 38 more" in sentence(result)


def test_all_cells_missing():
    table = steps()
    empty = cw.Table(
        table.columns, [np.full(150, np.nan), np.full(150, np.nan), np.full(150, -1)], target=table.target, y=table.y
    )
    result = cw.best(empty, **QUICK)
    assert result.tree.n_leaves == 1
    assert "no column is left that could tell sold: all cells of 'x', 'z', 'colour' are missing" in result.reason


def test_cells_that_are_missing_for_a_reason_are_named():
    def asked(y, rng):  # only of those who bought
        return cw.Column("asked"), np.where((y == 1) ^ (rng.random(len(y)) < 0.1), rng.normal(size=len(y)), np.nan)

    def lost(y, rng):
        return cw.Column("lost"), np.where(rng.random(len(y)) < 0.5, rng.normal(size=len(y)), np.nan)

    result = cw.best(steps(more={"asked": asked, "lost": lost}), **QUICK)
    (gap,) = result.look.gaps
    assert gap.name == "asked" and gap.common < 0.7 < 0.85 < gap.accuracy
    assert f"whether 'asked' is missing tells {100 * gap.accuracy:.1f} % of the rows' classes" in sentence(result)


def test_constant_and_duplicate_columns_are_left_out():
    more = {
        "one": lambda y, rng: (None, np.ones(len(y))),
        "w": lambda y, rng: (None, np.random.default_rng(0).normal(size=len(y))),
    }
    table = steps(more=more)
    result = cw.best(table, **QUICK)
    assert "'one' holds one value" in sentence(result)
    assert "'w' (as 'x')" in sentence(result)  # both are the first normal draws of seed 0


def test_rows_without_a_class_are_left_out():
    table = steps()
    y = table.y.copy()
    y[:5] = -1
    assert "5 rows have no class and are left out." in sentence(cw.best(table.with_target(table.target, y), **QUICK))


# -- wishes ---------------------------------------------------------------------------------------


def test_limits_are_kept_in_every_repetition():
    table = steps(300)
    few = cw.best(table, leaves=3, **QUICK)
    assert few.tree.n_leaves <= 3 and "with at most 3 leaves" in few.reason
    assert all(choice.tree.n_leaves <= 3 for choice in few.judgement.choices)
    one = cw.best(table, features=1, **QUICK)
    assert len(one.tree.features) == 1 and "at most 1 feature" in one.reason


def test_an_accuracy_that_suffices():
    table = steps(300)
    easy = cw.best(table, accuracy=0.7, **QUICK)
    assert easy.tree.n_leaves == 2 and "at least 70 %" in easy.reason
    hard = cw.best(table, accuracy=0.999, **QUICK)
    assert "No tree reaches an accuracy of 99.9 %" in hard.reason


@pytest.mark.parametrize("metric", ["balanced", "auc", "f1"])
def test_metrics(metric):
    table = rare()
    result = cw.best(table, metric=metric, **QUICK)
    assert result.tells and 0 < result.interval.low <= result.error <= result.interval.high < 1
    if metric == "balanced":
        plain = cw.best(table, **QUICK)
        assert result.judgement.scores["balanced_accuracy"] > plain.judgement.scores["balanced_accuracy"]
        assert result.error == pytest.approx(1 - result.judgement.scores["balanced_accuracy"], abs=0.02)
        assert result.tree.costs is not None and result.tree.counts[0].sum() == pytest.approx(400)


def test_ensembles_are_told_what_errors_cost_once():
    """Grown from weighted rows, and asked for the least cost: what they say is put right in between."""
    rng = np.random.default_rng(0)
    x = rng.integers(2, size=(3, 600)).astype(float)
    y = (rng.random(600) < np.array([0.02, 0.05, 0.15, 0.4])[x.sum(axis=0).astype(int)]).astype(int)
    table = cw.Table([cw.Column(name) for name in "abc"], x, target=cw.Column("ill", ("no", "yes")), y=y)
    result = cw.best(table, **QUICK | {"budget": 5.0}, metric="balanced")
    loss, gap = result.judgement.yardsticks["forest"]
    assert loss < 0.8 * result.judgement.common_error and gap.low < 0.05


def test_what_errors_cost_reaches_the_leaves():
    table = rare(shift=1.0)
    costs = np.array([[0, 1], [4, 0]])
    dear, plain = cw.best(table, cost_matrix=costs, **QUICK), cw.best(table, **QUICK)
    assert dear.tells and (dear.tree.predict(table) == 1).sum() > (plain.tree.predict(table) == 1).sum()
    assert "cost a row" in sentence(dear).lower()
    assert dear.error == pytest.approx(costs[table.y[dear.judgement.rows], dear.judgement.answers].mean())
    assert dear.error < costs[table.y[plain.judgement.rows], plain.judgement.answers].mean()
    assert cw.Tree.from_json(dear.tree.to_json()) == dear.tree


def test_where_errors_of_one_kind_are_dear_one_answer_may_be_best():
    result = cw.best(steps(300, noise=0.3), cost_matrix={("yes", "no"): 50}, **QUICK)
    assert result.tree.n_leaves == 1 and result.tree.predict(steps(5)).tolist() == [1] * 5


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"metric": "speed"}, "metric must be"),
        ({"metric": "cost"}, "needs cost_matrix"),
        ({"cost_matrix": [[0, 1]]}, "2 rows and columns"),
        ({"cost_matrix": {("no", "maybe"): 3}}, "the classes are no, yes"),
        ({"cost_matrix": [[1, 0], [1, 0]]}, "must not reward errors"),
        ({"leaves": 0}, "leaves must be"),
        ({"accuracy": 1.5}, "accuracy must be"),
        ({"budget": 0}, "budget must be"),
        ({"group": "town"}, "group='town' is no column"),
        ({"time": "colour"}, "nominal"),
    ],
)
def test_wrong_wishes_are_refused(wrong, words):
    with pytest.raises(ValueError, match=words):
        cw.best(steps(), **{**QUICK, **wrong})


# -- groups, time, many rows ----------------------------------------------------------------------


def test_rows_of_a_group_stay_together():
    rng = np.random.default_rng(3)
    patient = np.repeat(np.arange(40), 5)
    x = rng.normal(size=40)[patient] + 0.01 * rng.normal(size=200)  # rows of a patient are nearly the same
    y = rng.integers(2, size=40)[patient]  # and share a class that nothing tells
    columns = [cw.Column("patient", tuple(f"p{i}" for i in range(40))), cw.Column("x")]
    table = cw.Table(columns, [patient, x], target=cw.Column("ill", ("no", "yes")), y=y)
    fooled = cw.best(table.select(["x"]), **QUICK)
    honest = cw.best(table, group="patient", **QUICK)
    assert fooled.tells and not honest.tells
    assert "patient" not in honest.table.feature_names
    for fit, test in ((honest.work.scheme.fits[t.fit], t.rows) for t in honest.work.scheme.tests):
        assert not np.intersect1d(patient[fit], patient[test]).size


def test_later_rows_judge():
    table = steps(300)
    when = np.random.default_rng(5).permutation(300).astype(float)
    result = cw.best(table, time=when, **QUICK)
    scheme = result.work.scheme
    for test in scheme.tests:
        assert when[scheme.fits[test.fit]].max() < when[test.rows].min()
    assert "forward in time" in sentence(result)


def test_later_rows_of_other_groups_judge():
    table = steps(300)
    when, shop = np.arange(300), np.arange(300) // 12
    result = cw.best(table, time=when, group=shop, **QUICK)
    scheme = result.work.scheme
    for test in scheme.tests:
        assert not np.intersect1d(shop[scheme.fits[test.fit]], shop[test.rows]).size
    assert "before it, of other groups" in sentence(result) and result.tells


def test_of_many_rows_a_part_is_held_out(monkeypatch):
    monkeypatch.setattr(splits, "LARGE", 500)
    monkeypatch.setattr("clearwood.best.plan.LARGE", 500)
    monkeypatch.setattr("clearwood.best.plan.SEARCH_ROWS", 400)
    monkeypatch.setattr("clearwood.best.plan.SEARCH_CELLS", 1)
    monkeypatch.setattr("clearwood.best.plan.LEAST_SEARCHED", 400)
    table = steps(2000)
    result = cw.best(table, budget=5.0, n_jobs=1, progress=False)
    held = result.judgement.rows
    assert len(held) == 400 and result.tree.counts[0].sum() == pytest.approx(1600)
    assert result.error == pytest.approx((result.tree.predict(table.take(held)) != table.y[held]).mean())
    assert "400 rows that were held out" in sentence(result) and "a sample of 400" in sentence(result)


# -- interruptions --------------------------------------------------------------------------------


def test_ctrl_c_gives_the_best_so_far(monkeypatch):
    def interrupted(stage, *rest):
        if stage == "pareto":
            raise KeyboardInterrupt
        return grow_stage(stage, *rest)

    monkeypatch.setattr(work, "grow_stage", interrupted)
    result = cw.best(steps(), **QUICK)
    assert "pareto" in result.work.unfinished and result.tells
    assert "Not finished, because you stopped it: the Pareto front" in sentence(result)


def test_ctrl_c_before_anything_is_known_ends_it(monkeypatch):
    def interrupted(stage, *rest):
        raise KeyboardInterrupt

    monkeypatch.setattr(work, "grow_stage", interrupted)
    with pytest.raises(KeyboardInterrupt):
        cw.best(steps(), **QUICK)


def test_far_beyond_the_budget_the_clock_stops_it_and_says_so(monkeypatch):
    monkeypatch.setattr(work, "PATIENCE", 0.0)
    monkeypatch.setattr(work, "LEAST_PATIENCE", 0.0)
    result = cw.best(steps(), **QUICK)
    assert result.work.stopped == "late" and "it took far longer than planned" in sentence(result)


def test_too_small_a_budget_says_what_was_not_tried():
    result = cw.best(steps(), budget=0.01, n_jobs=1, progress=False)
    assert "Not tried, since the budget has no room for it" in sentence(result)


# -- ways out -------------------------------------------------------------------------------------


def _errors_elsewhere(answer):
    """The share of rows that a candidate on the page gets wrong, counted anew; for the chosen one as judged.

    Candidates whose trees are equal may have others in the folds, so that each has several shares.
    """
    work, found = answer.work, []
    for entry in answer.front:
        if entry.tree is answer.tree:
            found.append([1 - answer.judgement.scores["accuracy"]])
            continue
        keys = [key for key, tree in work.fits[work.scheme.whole].trees.items() if tree == entry.tree]
        wrong = np.zeros((len(work.scheme.inner), len(keys)))
        for part, tests in enumerate(work.scheme.inner):
            rows = work.table.take(work.rows(tests))
            for place, key in enumerate(keys):
                trees = [work.fits[work.scheme.tests[test].fit].trees[key] for test in tests]
                wrong[part, place] = np.mean([tree.predict(rows) != rows.y for tree in trees])
        found.append(wrong.mean(axis=0).tolist())
    return found


def test_the_answer_as_a_page_and_as_plain_values(tmp_path):
    import json

    result = cw.best(steps(), **QUICK)
    assert result.page(tmp_path / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    document = answer_page(result).document
    facts = dict(document["facts"])
    assert "on rows that it has not seen" in facts["How good it is"] and result.reason in document["reason"]
    assert document["entries"]["cv_error"][document["chosen"]] == round(result.error, 6)  # and not the one that chose
    assert document["entries"]["tree"] and document["stability"][0]["entry"] == document["chosen"]
    plain = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert plain["tells"] and plain["error"] == result.error and plain["leaves"] == result.tree.n_leaves
    assert set(plain["yardsticks"]) <= {"forest", "boosting"}
    balanced = cw.best(steps(), metric="balanced", **QUICK)
    document = answer_page(balanced).document
    assert document["reason"].startswith("Balanced error ") and balanced.reason in document["reason"]
    entries = document["entries"]
    for told, counted in zip(entries["cv_error"], _errors_elsewhere(balanced), strict=True):
        assert any(told == pytest.approx(error, abs=1e-6) for error in counted)
    none = cw.best(steps().take(np.arange(3)), **QUICK)
    assert none.page(tmp_path / "none.html").exists() and not none.to_dict()["tells"]
