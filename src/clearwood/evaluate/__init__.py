"""Judge a learner: resampling, statistics and what a run of both has shown."""

from clearwood.evaluate.cross_validate import evaluate
from clearwood.evaluate.evaluation import Evaluation
from clearwood.evaluate.intervals import Interval, corrected_interval
from clearwood.evaluate.resampling import fold_numbers

__all__ = ["Evaluation", "Interval", "corrected_interval", "evaluate", "fold_numbers"]
