"""Report: the answer as a page to look at the tree, choose among the candidates and try them out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clearwood.best.words import sections
from clearwood.evaluate.fronts import Front, FrontEntry
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
        Front([_shown(entry, answer, plain) for entry in _candidates(answer, plain)]),
        answer.table,
        title=title or answer.table.name,
        chosen=answer.tree,
        reason=_reason(answer, plain),
        references=[Reference(called[name], loss) for name, (loss, _) in yardsticks.items()],
        facts=[(head, _one_text(lines)) for head, lines in sections(answer) if not head.startswith(_SHOWN_ELSEWHERE)],
        stability=stability,
        data=data,
        max_rows=max_rows,
    )


def _candidates(answer: Answer, plain: bool) -> Front:
    """The candidates with shares of wrong rows, whatever they were chosen by; without any where they are not known."""
    from clearwood.best.front import in_errors

    if plain or answer.work is None or answer.choice is None:
        return answer.front
    found = in_errors(answer.work, answer.choice)
    if found is None:
        return Front([replace(entry, cv_error=float("nan"), cv_interval=None) for entry in answer.front])
    return answer.as_named(found)


def _shown(entry: FrontEntry, answer: Answer, plain: bool) -> FrontEntry:
    """An entry as the page shows it: the chosen tree has the error that was judged."""
    judged = answer.judgement
    if entry.tree is not answer.tree or judged is None:
        return entry
    if plain or not answer.tells:
        error, interval = answer.error, answer.interval
    else:
        error, interval = judged.wrong.mean, judged.wrong
    return replace(entry, cv_error=error, cv_interval=interval) if plain or answer.tells else entry


def _reason(answer: Answer, plain: bool) -> str:
    for head, lines in sections(answer):
        if head in ("How good it is", "The answer"):
            if not answer.tells:
                return "\n".join(lines)
            if plain:
                return "\n".join([*answer.reason.split("\n"), *lines[:2]])
            # the page's own figures are shares of right answers, which is not what was asked for
            return "\n".join([f"{lines[0]} {answer.reason}", lines[1]])
    return answer.reason


def _one_text(lines: list[str]) -> str:
    return "\n".join(line.removeprefix("\0") for line in lines)
