"""Judge: the error of the whole procedure, choice included, on rows that nothing was grown from or chosen by."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from clearwood.best.candidates import OWN, Key
from clearwood.best.labels import least_cost
from clearwood.best.losses import f1, standard_error
from clearwood.best.rule import Choice, choose
from clearwood.best.splits import Outer
from clearwood.best.work import Work
from clearwood.evaluate.intervals import Interval, share_interval
from clearwood.evaluate.scores import score

__all__ = ["Judgement", "judge"]

Z = 1.959964
INFLATION, FEW_ROWS = 1.5, 50.0
"""How much larger the variance is than that of independent rows, and how much more so where rows are few: trees of
other rows answer, and differ from the one that is returned. Set by simulated tables whose seeds are not the study's."""
BEATS = 1.0
"""Standard errors by which the majority must be beaten. They are wide ones, and trees of noise do worse than the
majority on average, so chance does it in fewer than one of ten tables."""
DRAWS = 400  # resamples for the interval of a loss that is no mean of rows


@dataclass(frozen=True, eq=False)
class Judgement:
    """What the repetitions have shown.

    Attributes
    ----------
    rows : array of int
        The rows that were judged.
    answers, chances : arrays
        The class that was said of each, and its class probabilities.
    losses : array
        What the answers cost.
    error, interval
        The loss and its 95 % interval.
    common : int
        The class that costs least to say of all rows of the table.
    common_error : float
        The loss of always saying it, on the same rows.
    beats : bool
        Whether the procedure does better than that by more than chance.
    choices : list of Choice
        What was chosen in each repetition.
    yardsticks : dict
        For each yardstick its loss, and the interval of how much more the tree loses.
    wrong : Interval
        The share of wrong answers with its 95 % interval, whatever the loss.
    scores : dict of float
        Accuracy, AUC and others.
    forest_auc : float
        The AUC of the forest; NaN where there is none.
    """

    rows: np.ndarray
    answers: np.ndarray
    chances: np.ndarray
    losses: np.ndarray
    error: float
    interval: Interval
    common: int
    common_error: float
    beats: bool
    choices: list[Choice]
    yardsticks: dict[str, tuple[float, Interval]]
    wrong: Interval
    scores: dict[str, float]
    forest_auc: float


def judge(work: Work, choice: Choice, group: np.ndarray | None, seed: int) -> Judgement:
    """Repeat the choice without each judging part, and see what the chosen tree says of it.

    ``choice`` is that of the tree that is returned. The repetitions learn from fewer rows, so they err more often than
    it will; its own cross-validated loss was chosen for being small, and it will err more often than that. So the
    interval begins as far below the lesser of the two as chance allows.
    """
    table, scheme = work.table, work.scheme
    parts = [_repeated(work, outer, group) for outer in scheme.outers]
    rows = np.concatenate([part.rows for part in parts])
    answers, chances = np.concatenate([p.answers for p in parts]), np.concatenate([p.chances for p in parts])
    truth, weights = table.y[rows], table.weights[rows]
    measure = _Measure(work, truth, weights, None if group is None else group[rows], seed)
    error, interval = measure.judged(answers, chances, choice.loss if scheme.resplit else math.inf)
    common = int(work.fits[scheme.whole].trees[Key("majority", OWN)].leaf_class[0])
    always = np.full(len(rows), common, dtype=answers.dtype)
    constant = np.eye(len(table.classes))[always]
    yardsticks, forest_auc = {}, math.nan
    # rows of one class have none, so where a class is in one group only a part may lack what the others have
    for name in [name for name in parts[0].yardsticks if all(name in part.yardsticks for part in parts)]:
        said = np.concatenate([part.yardsticks[name] for part in parts])
        told = least_cost(said, work.cost)
        yardsticks[name] = (measure.of(told, said), measure.gap(answers, chances, told, said))
        if name == "forest":
            forest_auc = score(table.classes, truth, said, told, weights)["auc"]
    return Judgement(
        rows,
        answers,
        chances,
        work.cost[truth, answers],
        error,
        interval,
        common,
        measure.of(always, constant),
        measure.beats(answers, chances, always, constant),
        [part.choice for part in parts],
        yardsticks,
        measure.wrong(answers),
        score(table.classes, truth, chances, answers, weights),
        forest_auc,
    )


class _Part(NamedTuple):
    """One repetition: what was chosen, and what it says of the rows that judge it."""

    rows: np.ndarray
    choice: Choice
    answers: np.ndarray
    chances: np.ndarray
    yardsticks: dict[str, np.ndarray]


def _repeated(work: Work, outer: Outer, group: np.ndarray | None) -> _Part:
    test = work.scheme.tests[outer.test]
    choice = choose(work, outer.inner, test.fit, group)
    rows = work.table.take(test.rows)
    found = choice.tree.predict(rows), choice.tree.predict_proba(rows)
    return _Part(test.rows, choice, *found, work.yardsticks(outer.test))


class _Measure:
    """The loss of answers on the judged rows, and how sure it is."""

    def __init__(self, work: Work, truth: np.ndarray, weights: np.ndarray, group: np.ndarray | None, seed: int) -> None:
        self._work, self._truth, self._weights, self._group = work, truth, weights, group
        self._seed = seed

    def of(self, answers: np.ndarray, chances: np.ndarray, drawn: np.ndarray | None = None) -> float:
        """The loss; ``drawn`` are other weights of the rows."""
        weights = self._weights if drawn is None else drawn
        metric, classes = self._work.wish.metric, self._work.table.classes
        if metric == "auc":
            auc = score(classes, self._truth, chances, answers, weights)["auc"]
            return 0.5 if math.isnan(auc) else 1 - auc
        if metric == "f1":
            return 1 - f1(self._truth, answers, weights, len(classes))
        return float(self._losses(answers) @ weights / weights.sum())

    def _losses(self, answers: np.ndarray) -> np.ndarray:
        found: np.ndarray = self._work.cost[self._truth, answers]
        return found

    def judged(self, answers: np.ndarray, chances: np.ndarray, chosen: float) -> tuple[float, Interval]:
        """The loss with its interval; ``chosen`` is the loss by which the tree was chosen."""
        found = self.of(answers, chances)
        losses = self._losses(answers)
        n = self.n_effective(losses) / self.inflation
        least = min(found, chosen)
        if self._work.wish.metric == "accuracy":
            return found, Interval(found, share_interval(least, n).low, share_interval(found, n).high)
        if self._work.wish.by_folds:
            least_loss, most, floor = 0.0, 1.0, share_interval(0.0, n).high  # for when no row errs
            spread = self._resampled(lambda drawn: self.of(answers, chances, drawn))
        else:
            least_loss, most, floor = self._bounds(n)
            spread = float(standard_error(losses[None, :], self._weights, self._group)[0])
        reach = Z * math.sqrt(self.inflation) * spread
        return found, Interval(found, max(least_loss, least - reach), min(most, found + max(reach, floor)))

    def _bounds(self, n: float) -> tuple[float, float, float]:
        """The loss if all answers were right, if all were as wrong as can be, and what more may be lost if none errs.

        Class by class, since rows of a rare class may cost more: three of them do not show that it is always told.
        """
        cost = self._work.cost
        share = np.bincount(self._truth, self._weights, minlength=len(cost)) / self._weights.sum()
        unseen = [share_interval(0.0, n * one).high if one > 0 else 0.0 for one in share.tolist()]
        right, worst = np.diag(cost), cost.max(axis=1)
        return float(share @ right), float(share @ worst), float(share * (worst - right) @ np.array(unseen))

    def wrong(self, answers: np.ndarray) -> Interval:
        """The share of wrong answers with its interval, whatever they cost."""
        wrong = (answers != self._truth).astype(np.float64)
        n = self.n_effective(wrong) / self.inflation
        return share_interval(float(wrong @ self._weights / self._weights.sum()), n)

    @property
    def inflation(self) -> float:
        """By how much variances exceed those of independent rows: not at all if the judged tree is returned."""
        n_draws = len(self._truth) if self._group is None else len(np.unique(self._group))
        return INFLATION + FEW_ROWS / n_draws if self._work.scheme.resplit else 1.0

    def n_effective(self, losses: np.ndarray) -> float:
        """As how many rows of equal weight, each drawn by itself, the judged rows count."""
        n = float(self._weights.sum() ** 2 / (self._weights**2).sum())
        if self._group is None:
            return n
        alone = float(standard_error(losses[None, :], self._weights)[0])
        together = float(standard_error(losses[None, :], self._weights, self._group)[0])
        n_groups = len(np.unique(self._group))
        return max(float(n_groups), n * (alone / together) ** 2) if together > alone > 0 else n

    def gap(self, answers: np.ndarray, chances: np.ndarray, others: np.ndarray, said: np.ndarray) -> Interval:
        """How much more the answers lose than others, with the 95 % interval."""
        mean = self.of(answers, chances) - self.of(others, said)
        if self._work.wish.by_folds:
            spread = self._resampled(lambda drawn: self.of(answers, chances, drawn) - self.of(others, said, drawn))
        else:
            off = (self._losses(answers) - self._losses(others))[None, :]
            spread = float(standard_error(off, self._weights, self._group)[0])
        reach = Z * math.sqrt(self.inflation) * spread
        return Interval(mean, mean - reach, mean + reach)

    def beats(self, answers: np.ndarray, chances: np.ndarray, common: np.ndarray, constant: np.ndarray) -> bool:
        """Whether the answers lose less than always saying one class, by more than chance."""
        gap = self.gap(answers, chances, common, constant)
        spread = gap.half_width / Z
        return bool(gap.mean < 0 and -gap.mean > BEATS * spread)

    def _resampled(self, of: Callable[[np.ndarray], float]) -> float:
        """The standard deviation of a figure over resamples of the rows, or of the groups."""
        rng = np.random.default_rng([self._seed, 5])
        n = len(self._truth)
        member = np.arange(n) if self._group is None else np.unique(self._group, return_inverse=True)[1]
        n_units = int(member.max()) + 1
        values = []
        for _ in range(DRAWS if n <= 5000 else 100):
            times = np.bincount(rng.integers(n_units, size=n_units), minlength=n_units)[member]
            drawn = self._weights * times
            if drawn.sum() > 0:
                values.append(of(drawn))
        return float(np.std(values, ddof=1))
