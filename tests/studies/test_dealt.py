"""Dealt tables: folds that the store keeps, and what is said of rare classes."""

import warnings

import numpy as np
import pytest
from sample_study import blobs

import clearwood as cw
from clearwood.evaluate import fold_numbers
from clearwood.studies.store import Store
from clearwood.studies.units import fold_seed
from clearwood.table import Column, Table


def test_folds_depend_on_seed_table_and_repeat_only(tmp_path):
    cw.compare(["c45"], [blobs()], cv=3, repeats=2, seed=5, store=tmp_path / "a.db")
    cw.compare(
        ["cart", "id3"],
        [blobs(), blobs(seed=1, name="other")],
        cv=3,
        repeats=1,
        seed=5,
        store=tmp_path / "b.db",
        study="other",
    )
    with Store(tmp_path / "a.db") as first, Store(tmp_path / "b.db") as second:
        ours = first.folds("compare", "blobs")[0]
        assert ours.tolist() == second.folds("other", "blobs")[0].tolist()
    assert ours.tolist() == fold_numbers(blobs().y, 3, fold_seed(5, "blobs", 0)).tolist()


def test_folds_that_the_store_has_are_used(tmp_path):
    numbers = np.arange(60) // 20  # nothing that a seed would give
    with Store(tmp_path / "r.db") as store:
        store.keep_folds("compare", "blobs", 0, numbers)
        found = cw.compare("cart", blobs(), cv=3, repeats=1, store=store)
        tests = [
            cw.CARTClassifier(random_state=r.seed).fit(blobs().take(numbers != r.unit.fold)) for r in found.results
        ]
        for result, fitted in zip(found.results, tests, strict=True):
            part = blobs().take(numbers == result.unit.fold)
            assert result.scores["accuracy"] == np.mean(fitted.tree_.predict(part) == part.y)


def test_a_rare_class_brings_one_warning_with_the_tables_name():
    y = np.array([0] * 20 + [1] * 20 + [2] * 2)
    table = Table([Column("x")], [np.arange(42.0)], target=Column("c", ("a", "b", "rare")), y=y, name="rarity")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = cw.compare("c45", table, cv=5, repeats=3)
    texts = [str(warning.message) for warning in caught]
    assert [text for text in texts if "fewer rows" in text] == [
        "rarity: 1 class has fewer rows than the 5 folds (the smallest has 2), so some folds are tested without it."
    ]
    assert {result.status for result in found.results} == {"done"}


def test_rows_without_a_class_are_left_out():
    table = Table([Column("x")], [np.arange(12.0)], target=Column("c", ("a", "b")), y=[0, 1, -1] * 4, name="gaps")
    with pytest.warns(UserWarning, match="gaps: 4 of 12 rows have no class"):
        found = cw.compare("c45", table, cv=2, repeats=1)
    assert found.tables["gaps"].n_rows == 8
