"""The Weka style equals, to the letter, what Weka 3.9.7's J48 printed for the generated tables."""

import gzip
import json
import warnings
from pathlib import Path

import pytest
from golden_records import load_table, options_to_params

from clearwood import C45Classifier
from clearwood.table import Column
from clearwood.tree_builder import TreeBuilder

TEXTS = json.loads(gzip.decompress((Path(__file__).parents[1] / "golden" / "j48_texts.json.gz").read_bytes()))


@pytest.mark.parametrize("record", TEXTS, ids=[f"{r['table']} {r['options']}" for r in TEXTS])
def test_the_text_is_that_of_j48(record):
    table = load_table(record["table"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some tables have columns in tiny units, on purpose
        tree = C45Classifier(**options_to_params(record["options"])).fit(table).tree_
    assert tree.to_text("weka") == record["text"]


def test_counts_as_large_as_any_number():
    build = TreeBuilder([Column("x")], ["a", "b"])
    tree = build.build(build.threshold("x", 0.5, [build.leaf([1e307, 0]), build.leaf([0, 1.6e308])]))
    assert "x > 0.5: b (1.6E308)" in tree.to_text("weka")
