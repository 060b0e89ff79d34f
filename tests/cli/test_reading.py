"""Reading: every command that reads a table to learn from takes the same options, and hands on what was said."""

import inspect

import pytest

from clearwood.cli.compare import compare
from clearwood.cli.evaluate import evaluate
from clearwood.cli.explore import explore
from clearwood.cli.fit import fit
from clearwood.cli.predict import predict
from clearwood.cli.reading import reads

WORDS = (
    "nominal", "numeric", "ordered", "missing", "decimal", "thousands", "dates", "weights", "query", "ignore",
    "download",
)  # fmt: skip


@pytest.mark.parametrize("command", [fit, evaluate, explore, compare], ids=lambda command: command.__name__)
def test_a_command_has_every_option_of_reading(command):
    parameters = inspect.signature(command).parameters
    assert set(WORDS) <= set(parameters) and "reading" not in parameters


def test_predict_has_every_option_that_says_something_of_rows_for_a_tree():
    parameters = inspect.signature(predict).parameters
    assert {*WORDS} - {*parameters} == {"ordered", "weights"} and "reading" not in parameters


def test_only_what_was_said_is_handed_on():
    told = []

    @reads
    def command(data: str, *, reading: dict, seed: int = 0) -> None:
        told.append((data, reading, seed))

    silence = dict.fromkeys(WORDS) | {"download": False}
    command(data="a.csv", seed=3, **silence)
    command(data="b.csv", seed=0, **silence | {"ordered": ["size=S,M"], "decimal": ""})
    assert told == [("a.csv", {}, 3), ("b.csv", {"ordered": {"size": ["S", "M"]}, "decimal": ""}, 0)]
