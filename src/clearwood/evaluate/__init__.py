"""Judge a learner, by calling this package: ``clearwood.evaluate(learner, table)``; resampling and statistics."""

from clearwood.callable_package import make_callable
from clearwood.evaluate.cross_validate import evaluate
from clearwood.evaluate.evaluation import Evaluation
from clearwood.evaluate.fidelity import complexity, fidelity
from clearwood.evaluate.intervals import Interval, corrected_interval
from clearwood.evaluate.ranks import critical_difference, friedman_test
from clearwood.evaluate.resampling import fold_numbers
from clearwood.evaluate.scores import score
from clearwood.evaluate.significance import PairedTest, paired_test
from clearwood.evaluate.stability import semantic_stability, uniform_examples
from clearwood.evaluate.wins import count_wins

__all__ = [
    "Evaluation",
    "Interval",
    "PairedTest",
    "complexity",
    "corrected_interval",
    "count_wins",
    "critical_difference",
    "evaluate",
    "fidelity",
    "fold_numbers",
    "friedman_test",
    "paired_test",
    "score",
    "semantic_stability",
    "uniform_examples",
]

make_callable(__name__, evaluate)
