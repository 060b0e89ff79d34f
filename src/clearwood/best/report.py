"""Report: the answer as a page to look at the tree, choose among the candidates and try them out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clearwood.best.judge import INFLATION
from clearwood.best.words import sections
from clearwood.evaluate.fronts import Front, FrontEntry
from clearwood.evaluate.intervals import share_interval
from clearwood.view.page.document import Reference, Stability
from clearwood.view.page.page import Page

if TYPE_CHECKING:
    from clearwood.best.answer import Answer

__all__ = ["answer_page"]

_SHOWN_ELSEWHERE = ("Its rules", "The tree to use")  # the page has both


def answer_page(answer: Answer, *, title: str = "", data: bool = True, max_rows: int = 5000) -> Page:
    """A page with the answer in its report; the chosen tree has the error that was judged, not that which chose it."""
    judged = answer.judgement
    called = {"forest": "a forest", "boosting": "gradient boosting"}
    plain = answer.work is None or answer.work.wish.metric == "accuracy"
    yardsticks = {} if judged is None or not plain else judged.yardsticks
    stability = []
    if answer.stability is not None:
        stability = [Stability(answer.tree, answer.n_regrown, answer.stability)]
    return Page(
        Front([_shown(entry, answer, plain) for entry in answer.front]),
        answer.table,
        title=title or answer.table.name,
        chosen=answer.tree,
        reason=_reason(answer),
        references=[Reference(called[name], loss) for name, (loss, _) in yardsticks.items()],
        facts=[(head, _one_text(lines)) for head, lines in sections(answer) if not head.startswith(_SHOWN_ELSEWHERE)],
        stability=stability,
        data=data,
        max_rows=max_rows,
    )


def _shown(entry: FrontEntry, answer: Answer, plain: bool) -> FrontEntry:
    """An entry as the page shows it: its errors are shares of rows, whatever the trees were chosen by."""
    judged = answer.judgement
    if entry.tree is not answer.tree or judged is None:
        return entry if plain else replace(entry, cv_error=float("nan"), cv_interval=None)
    if plain or not answer.tells:
        error, interval = answer.error, answer.interval
    else:
        error = 1 - judged.scores["accuracy"]
        interval = share_interval(error, len(judged.rows) / INFLATION)
    return replace(entry, cv_error=error, cv_interval=interval) if plain or answer.tells else entry


def _reason(answer: Answer) -> str:
    for head, lines in sections(answer):
        if head in ("How good it is", "The answer"):
            return "\n".join([*answer.reason.split("\n"), *lines[:2]]) if answer.tells else "\n".join(lines)
    return answer.reason


def _one_text(lines: list[str]) -> str:
    return "\n".join(line.removeprefix("\0") for line in lines)
