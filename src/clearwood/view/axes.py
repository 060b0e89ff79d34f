"""Axes: ticks that speak of a column's values, dates as ISO dates and levels by their names."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from matplotlib.axis import Axis
from matplotlib.dates import AutoDateLocator
from matplotlib.ticker import FixedLocator, FuncFormatter, Locator, MaxNLocator

from clearwood.moments import moment_text
from clearwood.table import Column
from clearwood.wording import visible

__all__ = ["mark"]

_DAY = 86_400_000.0  # milliseconds; matplotlib counts days
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MOST = 6  # ticks: an ISO date is wide


class MomentLocator(Locator):
    """Round days, months or years along an axis of milliseconds since 1970."""

    def __init__(self) -> None:
        calendar: Any = AutoDateLocator  # without types
        self._calendar = calendar(minticks=3, maxticks=_MOST)

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        """The ticks between two moments; beyond the years that a calendar knows, round numbers."""
        try:
            low, high = (_EPOCH + timedelta(milliseconds=float(end)) for end in sorted((vmin, vmax)))
            return [float(day) * _DAY for day in self._calendar.tick_values(low, high)]
        except (OverflowError, ValueError):
            return [float(tick) for tick in MaxNLocator(_MOST).tick_values(vmin, vmax)]

    def __call__(self) -> list[float]:
        assert self.axis is not None
        low, high = self.axis.get_view_interval()
        return self.tick_values(low, high)


def mark(axis: Axis, column: Column) -> None:
    """Let an axis show a column's dates or levels in place of the numbers that stand for them."""
    if column.is_date:
        axis.set_major_locator(MomentLocator())
        axis.set_major_formatter(FuncFormatter(lambda number, place: moment_text(number)))
    elif column.levels is not None:
        names = [visible(level).replace("$", r"\$") for level in column.levels]
        axis.set_major_locator(FixedLocator(range(len(names))))
        axis.set_major_formatter(FuncFormatter(lambda number, place: names[round(number)]))
