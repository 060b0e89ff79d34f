"""Amounts: losses, intervals and differences as short text, in the terms of what was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearwood.evaluate.intervals import Interval

if TYPE_CHECKING:
    from clearwood.best.answer import Answer

__all__ = [
    "a_loss",
    "accuracy_text",
    "between_text",
    "ends_text",
    "gap_text",
    "loss_name",
    "points_text",
    "range_text",
    "share_text",
    "value_text",
]


def loss_name(answer: Answer) -> str:
    return "error" if answer.work is None else answer.work.wish.words()


def a_loss(answer: Answer) -> str:
    """What the loss is called, with its article."""
    name = loss_name(answer)
    return name if name.startswith("1") else f"{'an' if name.startswith('e') else 'a'} {name}"


def _is_cost(answer: Answer) -> bool:
    return answer.work is not None and answer.work.wish.metric == "cost"


def value_text(answer: Answer, value: float) -> str:
    return f"{value:.4g}" if _is_cost(answer) else share_text(value)


def points_text(answer: Answer, value: float) -> str:
    return f"{value:.3g}" if _is_cost(answer) else f"{100 * value:.1f} points"


def ends_text(answer: Answer, gap: Interval) -> str:
    if _is_cost(answer):
        return f"{gap.low:+.3g} to {gap.high:+.3g}"
    return f"{100 * gap.low:+.1f} to {100 * gap.high:+.1f}"


def gap_text(answer: Answer, gap: Interval) -> str:
    return f"{'more' if gap.mean > 0 else 'less'} by {points_text(answer, abs(gap.mean))} ({ends_text(answer, gap)})"


def share_text(value: float) -> str:
    return f"{100 * value:.1f} %"


def between_text(answer: Answer) -> str:
    low, high = answer.interval.low, answer.interval.high
    if _is_cost(answer):
        return f" (95 % interval {low:.3g} to {high:.3g})"
    return f" (95 % interval {100 * low:.1f} to {100 * high:.1f} %)"


def accuracy_text(answer: Answer) -> str:
    """What is to be expected of the tree, as its picture says it."""
    if loss_name(answer) == "error":
        low, high = 100 * (1 - answer.interval.high), 100 * (1 - answer.interval.low)
        return f"{share_text(1 - answer.error)} right on new rows (95 % interval {low:.1f} to {high:.1f} %)"
    return f"{loss_name(answer)} {value_text(answer, answer.error)} on new rows{between_text(answer)}"


def range_text(values: list[int]) -> str:
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low} to {high}"
