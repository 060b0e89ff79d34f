"""Report: the answer as a page to look at the tree, choose among the candidates and try them out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearwood.best.words import sections
from clearwood.view.page.document import Reference, Stability
from clearwood.view.page.page import Page

if TYPE_CHECKING:
    from clearwood.best.answer import Answer

__all__ = ["answer_page"]

_SHOWN_ELSEWHERE = ("Its rules",)  # the page has the rules themselves


def answer_page(answer: Answer, *, title: str = "", data: bool = True, max_rows: int = 5000) -> Page:
    """A page with the answer in its report."""
    front = answer.front
    judged = answer.judgement
    references = [Reference("always one class", judged.common_error)] if judged is not None else []
    if judged is not None:
        called = {"forest": "forest", "boosting": "gradient boosting"}
        references += [Reference(called[name], loss) for name, (loss, _) in judged.yardsticks.items()]
    stability = []
    if answer.stability is not None:
        stability = [Stability(answer.tree, answer.n_regrown, answer.stability)]
    return Page(
        front,
        answer.table,
        title=title or answer.table.name,
        chosen=answer.tree,
        reason=_reason(answer),
        references=references,
        facts=[(head, _one_text(lines)) for head, lines in sections(answer) if not head.startswith(_SHOWN_ELSEWHERE)],
        stability=stability,
        data=data,
        max_rows=max_rows,
    )


def _reason(answer: Answer) -> str:
    for head, lines in sections(answer):
        if head in ("How good it is", "The answer"):
            return "\n".join([*answer.reason.split("\n"), *lines[:2]]) if answer.tells else "\n".join(lines)
    return answer.reason


def _one_text(lines: list[str]) -> str:
    return "\n".join(line.removeprefix("\0") for line in lines)
