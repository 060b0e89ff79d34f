"""Structural risk: the number of leaves that the data supports, and the reason in words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clearwood.evaluate.fronts import Front
from clearwood.evaluate.intervals import Interval, corrected_interval
from clearwood.wording import plural

__all__ = ["Choice", "choose_size", "choose_within", "explain_choice", "size_difference"]

RULES = ("srm", "half_se", "one_se")


class Choice(NamedTuple):
    """A size and the rule that chose it."""

    n_leaves: int
    rule: str
    """``"srm"``, ``"half_se"``, ``"one_se"``, ``"given"``; ``"training"``, without folds; ``"one_class"``."""
    asked: int = 0
    """How many leaves were asked for, where that is not what was found."""
    least: int = 0
    """The size below which none was considered, where the rule would have taken such a one."""


def choose_size(front: Front, selection: str | int = "srm", least: int = 1) -> Choice:
    """Choose a number of leaves.

    Parameters
    ----------
    front : Front
        Its ``fold_errors`` decide. Without them the smallest tree within one standard error of the best on the
        training rows is taken.
    selection : "srm", "half_se", "one_se" or int
        The least mean error over the folds, the smaller of equals; the smallest size whose error is above that by at
        most half a standard error of the difference, which the same folds judge; the smallest within one standard error
        of the least; or that size.
    least : int
        Smaller sizes are not considered by the rules, unless all are smaller: then it is the largest.

    Examples
    --------
    >>> from clearwood.evaluate.fronts import FrontEntry
    >>> front = Front([FrontEntry(k, None, 0.0) for k in (2, 3, 4)], [[0.3, 0.21, 0.2], [0.34, 0.25, 0.24]])
    >>> [choose_size(front, rule).n_leaves for rule in ("srm", "half_se", "one_se")]
    [4, 4, 3]
    """
    if not isinstance(selection, str):
        return Choice(front.of_size(int(selection)).n_leaves, "given")
    choice = _by_rule(front, selection, least)
    if least <= 1 or choice == _by_rule(front, selection, 1):
        return choice
    return choice._replace(least=min(least, front.sizes[-1]))


def choose_within(front: Front, selection: str | int, least: int = 1) -> Choice:
    """The same; of a number that no tree has, the largest size below it, or else the smallest that there is.

    >>> from clearwood.evaluate.fronts import FrontEntry
    >>> choose_within(Front([FrontEntry(k, None, 0.0) for k in (2, 4)]), 3)
    Choice(n_leaves=2, rule='given', asked=3, least=0)
    """
    if isinstance(selection, str) or selection in front.sizes:
        return choose_size(front, selection, least)
    found = max((size for size in front.sizes if size <= selection), default=front.sizes[0])
    return Choice(found, "given", asked=int(selection))


def _by_rule(front: Front, selection: str, least: int) -> Choice:
    if front.fold_errors is None or len(front.fold_errors) < 2:
        return Choice(_by_training(front, least), "training")
    mean = front.fold_errors.mean(axis=0)
    mean[~_large_enough(front, least)] = np.inf
    best = int(np.argmin(np.round(mean, 12)))
    if selection == "srm":
        return Choice(front[best].n_leaves, "srm")
    if selection == "half_se":
        margin = _standard_error(front.fold_errors - front.fold_errors[:, [best]]) / 2
    else:
        margin = _standard_error(front.fold_errors[:, best])
    near = np.flatnonzero(mean <= mean[best] + margin + 1e-12)
    return Choice(front[int(near[0])].n_leaves, selection)


def _standard_error(values: np.ndarray) -> np.ndarray:
    error: np.ndarray = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return error


def _large_enough(front: Front, least: int) -> np.ndarray:
    return np.array([entry.n_leaves >= min(least, front.sizes[-1]) for entry in front])


def _by_training(front: Front, least: int) -> int:
    errors = np.array([entry.training_error for entry in front])
    errors[~_large_enough(front, least)] = np.inf
    best = float(errors.min())
    rows = max(float(front[0].tree.counts[0].sum()), 1.0)
    near = np.flatnonzero(errors <= best + np.sqrt(best * (1 - best) / rows) + 1e-12)
    return front[int(near[0])].n_leaves


def size_difference(front: Front, larger: int, smaller: int) -> Interval:
    """How much more error the size ``larger`` has than ``smaller``, over the folds, with its 95 % interval."""
    if front.fold_errors is None:
        raise ValueError("the front was not cross-validated.")
    gap = front.fold_errors[:, front.place_of(larger)] - front.fold_errors[:, front.place_of(smaller)]
    return corrected_interval(gap, front.test_share)


def explain_choice(front: Front, choice: Choice, steps: tuple[int, ...] = (2, -2)) -> str:
    """Why a size was chosen, and what a few rules more or fewer would buy, in words."""
    entry = front.of_size(choice.n_leaves)
    rules = f"{plural(entry.n_leaves, 'leaf', 'leaves')}, so {plural(entry.n_leaves, 'rule')}"
    lines = [f"{rules}: {_reason(front, choice)}"]
    if front.fold_errors is None or len(front.fold_errors) < 2:
        wrong = _percent(entry.training_error)
        lines.append(f"On the training rows {wrong} are wrong; the sizes were not cross-validated.")
        return "\n".join(lines)
    folds = len(front.fold_errors)
    lines.append(
        f"Cross-validated error {_percent(entry.cv_error)}{_between(entry.cv_interval)} over {plural(folds, 'fold')}; "
        f"{_percent(entry.training_error)} on the training rows."
    )
    for step in steps:
        wanted = choice.n_leaves + step
        sizes = [s for s in front.sizes if (s <= wanted if step > 0 else s >= wanted)]
        other = (max(sizes) if step > 0 else min(sizes)) if sizes else choice.n_leaves
        if other != choice.n_leaves:
            lines.append(_step_words(front, choice.n_leaves, other))
    return "\n".join(lines)


def _reason(front: Front, choice: Choice) -> str:
    n_sizes = len(front.sizes)
    if choice.asked:
        far = "the largest size that was found within" if choice.n_leaves < choice.asked else "none was found within"
        return f"{far} the {plural(choice.asked, 'leaf', 'leaves')} asked for."
    reason = {
        "srm": f"the least mean cross-validated error of the {plural(n_sizes, 'size')} from {front.sizes[0]} to "
        f"{front.sizes[-1]}.",
        "half_se": "the smallest size whose cross-validated error is above the least by at most half a standard error "
        "of the difference.",
        "one_se": "the smallest size whose cross-validated error is within one standard error of the least.",
        "given": "as asked for.",
        "one_class": "all training rows have one class.",
        "training": "the smallest size within one standard error of the least training error.",
    }[choice.rule]
    if not choice.least:
        return reason
    return f"{reason} Sizes below {choice.least} were left out."


def _step_words(front: Front, here: int, other: int) -> str:
    gap = size_difference(front, other, here)
    step, points = abs(other - here), 100 * gap.mean
    rules = f"{_number(step)} {'rule' if step == 1 else 'rules'} {'more' if other > here else 'fewer'}"
    if abs(points) < 0.05:
        change = "would leave the error as it is"
    elif points < 0:
        change = f"would take {-points:.1f} points off the error"
    else:
        change = f"would add {points:.1f} points to the error"
    sure = "which is more than chance" if gap.low > 0 or gap.high < 0 else "so it may be chance"
    return (
        f"{rules.capitalize()} ({other}) {change}: {_percent(front.of_size(other).cv_error)}; the 95 % interval of the "
        f"difference is {100 * gap.low:+.1f} to {100 * gap.high:+.1f}, {sure}."
    )


def _number(n: int) -> str:
    words = ("no", "one", "two", "three", "four")
    return words[n] if n < len(words) else str(n)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _between(interval: Interval | None) -> str:
    if interval is None:
        return ""
    return f" (95 % interval {100 * max(interval.low, 0):.1f} to {100 * interval.high:.1f} %)"
