"""Words: the answer as text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from clearwood.best.amounts import (
    a_loss,
    between_text,
    ends_text,
    gap_text,
    loss_name,
    points_text,
    range_text,
    value_text,
)
from clearwood.best.candidates import complexity
from clearwood.best.data_words import data_words
from clearwood.best.details import by_class, calibration, worst_leaf
from clearwood.best.reasons import candidate_words
from clearwood.condition_wording import condition_words
from clearwood.wording import percent, plural, visible

if TYPE_CHECKING:
    from clearwood.best.answer import Answer
    from clearwood.tree import Tree

__all__ = ["answer_words", "sections"]

WIDTH = 118
MOST_RULES, MOST_SPLITS = 12, 15
MOST_TREE = 60  # leaves; a larger tree is not printed
MOST_CLASSES = 12


def answer_words(answer: Answer, again: str = "") -> str:
    """The whole answer; ``again`` is what gives it once more, by default a call in Python."""
    parts = []
    last = ("To get the same again", [f"\0{again or _call(answer)}"])
    for title, lines in [*sections(answer), last]:
        body = [line for text in lines for line in (_wrapped(text) if not text.startswith("\0") else [text[1:]])]
        parts.append("\n".join([title, *(f"  {line}" if line else "" for line in body)]))
    return "\n\n".join(parts)


def _call(answer: Answer) -> str:
    """The call that gave the answer; arrays are not written out."""
    given = [f"{name}={value!r}" if isinstance(value, str | int | float | tuple | dict) else f"{name}=…"
             for name, value in answer.call.items()]  # fmt: skip
    return f"clearwood.best(table, {', '.join(given)})" if given else "clearwood.best(table)"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False) or [""]


def sections(answer: Answer) -> Iterator[tuple[str, list[str]]]:
    """The parts of the answer, each with a title; a line that begins with a NUL is not to be wrapped."""
    yield "The data", list(data_words(answer))
    if answer.tells:
        yield f"The tree to use: {_size(answer)}", [f"\0{line}" for line in _tree(answer)]
    yield "How good it is" if answer.tells else "The answer", list(_quality(answer))
    if not answer.tells:
        if answer.work is not None:
            yield "What was tried", list(_tried(answer))
        return
    yield "Why this one", [line for line in answer.reason.split("\n") if line] + list(_tried(answer))
    yield "More or fewer leaves", list(_sizes(answer))
    yield "What readability costs", list(_yardsticks(answer))
    yield "Its rules, the most important first", list(_rules(answer))
    yield "How stable its splits are", list(_stability(answer))
    yield "Where it errs", list(_errors(answer))
    yield "Class by class, on rows that it had not seen", [f"\0{line}" for line in _classes(answer)]


# -- the tree -------------------------------------------------------------------------------------


def _size(answer: Answer) -> str:
    tree = answer.tree
    used = f"{plural(len(tree.features), 'feature')} of {answer.table.n_features}"
    assert answer.choice is not None
    return f"{_leaves(tree)}, {used}, grown by {candidate_words(answer.choice.key)}"


def _leaves(tree: Tree) -> str:
    """How large a tree is; sums make it larger than its leaves are many."""
    size = complexity(tree)
    terms = f" ({size} with the further terms of its tests)" if size != tree.n_leaves else ""
    return f"{plural(tree.n_leaves, 'leaf', 'leaves')}{terms}"


def _tree(answer: Answer) -> list[str]:
    if answer.tree.n_leaves > MOST_TREE:
        return [f"{answer.tree.n_leaves} leaves are too many to print here; save it, or write the page."]
    return str(answer.tree).split("\n")[2:]


def _rules(answer: Answer) -> Iterator[str]:
    found = answer.tree.rules()
    for rule in found[:MOST_RULES]:
        yield str(rule)
    if len(found) > MOST_RULES:
        yield f"… and {len(found) - MOST_RULES} more, each for fewer rows."
    used = [(name, share) for name, share in answer.tree.importances().items() if share > 0]
    if used:
        listed = ", ".join(f"{visible(name)} {percent(share)}" for name, share in used[:8])
        yield f"What the features do, as shares of what the tree tells: {listed}{', …' if len(used) > 8 else ''}."


# -- how good, and why ----------------------------------------------------------------------------


def _quality(answer: Answer) -> Iterator[str]:
    if not answer.tells:
        yield answer.reason[:1].upper() + answer.reason[1:]
        said = visible(answer.tree.classes[int(answer.tree.leaf_class[0])])
        if len(answer.look.classes) > 1:
            error = f"{value_text(answer, answer.error)}{between_text(answer)}"
            yield f"Always saying {said} has {a_loss(answer)} of {error}."
        return
    judged = answer.judgement
    assert judged is not None
    said = visible(answer.table.classes[judged.common])
    yield (
        f"{loss_name(answer).capitalize()} {value_text(answer, answer.error)}{between_text(answer)} on rows that it "
        f"has not seen; always saying {said} has {value_text(answer, judged.common_error)}."
    )
    assert answer.work is not None
    scheme = answer.work.scheme
    how = "repeated without the rows that judge, with less to choose by" if scheme.resplit else "done without them"
    yield f"Judged by {scheme.words}. All of this, the choice included, was {how}."
    spread = [choice.tree.n_leaves for choice in judged.choices]
    if len(spread) > 1:
        yield f"The repetitions chose trees of {range_text(spread)} leaves."
    scores = judged.scores
    auc = "" if np.isnan(scores["auc"]) else f"; AUC {scores['auc']:.3f}"
    yield f"Accuracy {100 * scores['accuracy']:.1f} %; balanced {100 * scores['balanced_accuracy']:.1f} %{auc}."
    yield calibration(answer)


def _tried(answer: Answer) -> Iterator[str]:
    plan, work = answer.plan, answer.work
    assert plan is not None and work is not None
    names = {
        "greedy": "C4.5 and CART in all sizes",
        "distilled": "distilled trees (axis-parallel and sparse) of a forest",
        "pareto": "the Pareto front",
        "setgen": "SET-GEN",
        "linear": "a linear tree",
        "boosting": "gradient boosting as a yardstick",
    }
    yield f"Tried: always one class, {', '.join(names[stage] for stage in work.finished)}."
    if plan.left_out:
        left = ", ".join(names[stage] for stage in plan.left_out)
        yield f"Not tried, since the budget has no room for it: {left}; a larger budget (budget=, --budget) has."
    if work.unfinished:
        left = ", ".join(names[stage] for stage in work.unfinished)
        why = "you stopped it" if work.stopped == "interrupted" else "it took far longer than planned"
        yield (
            f"Not finished, because {why}: {left}. The answer is the best so far"
            f"{'' if work.stopped == 'interrupted' else ', and another run may differ'}."
        )
    grown, searched = len(work.scheme.fits[work.scheme.whole]), plan.effort.search_rows
    if grown > searched:
        greedy = min(grown, plan.effort.greedy_rows)
        yield (
            f"Of {grown:,} rows to grow trees from, searches took a sample of {searched:,} and C4.5 and CART "
            f"{'all' if greedy == grown else f'{greedy:,}'}; leaves are counted by all rows but those held out."
        )


def _sizes(answer: Answer) -> Iterator[str]:
    from clearwood.best.front import by_size

    work, choice = answer.work, answer.choice
    assert work is not None and choice is not None
    front = by_size(work, choice)
    here = complexity(choice.tree)
    for size in _near(front.sizes, here):
        entry = front.of_size(size)
        words = f"{_leaves(entry.tree)}: {value_text(answer, entry.cv_error)} ({entry.learner})"
        if size == here:
            yield f"{words}, the chosen one"
            continue
        if front.fold_errors is None:
            yield words
            continue
        from clearwood.evaluate.structural_risk import size_difference

        gap = size_difference(front, size, here)
        sure = "more than chance" if gap.low > 0 or gap.high < 0 else "may be chance"
        yield f"{words}, {gap_text(answer, gap)}: {sure}"


def _near(sizes: tuple[int, ...], here: int) -> list[int]:
    """A few sizes below and above: the next ones, and then about half and twice as many."""
    below, above = [s for s in sizes if s < here], [s for s in sizes if s > here]
    picked = {here, *below[-2:], *above[:2]}
    for factor in (0.5, 2.0, 4.0):
        others = below if factor < 1 else above
        if others:
            picked.add(min(others, key=lambda s: abs(s - factor * here)))
    return sorted(picked)


def _yardsticks(answer: Answer) -> Iterator[str]:
    judged = answer.judgement
    assert judged is not None
    if not judged.yardsticks:
        yield "No ensemble was grown to compare with."
        return
    for name, (loss, gap) in sorted(judged.yardsticks.items(), key=lambda item: item[1][0]):
        called = {"forest": "A forest", "boosting": "Gradient boosting"}[name]
        cost = "costs" if gap.mean > 0 else "gains"
        yield (
            f"{called}, which nobody can read: {value_text(answer, loss)} on the same rows. Readability {cost} "
            f"{points_text(answer, abs(gap.mean))} (95 % interval of the difference {ends_text(answer, gap)})."
        )


def _stability(answer: Answer) -> Iterator[str]:
    if answer.stability is None:
        yield "Not followed: the tree is too large for that."
        return
    tree = answer.tree
    others = f"{answer.n_regrown} trees that were grown the same way from other parts of the rows"
    yield f"How often each split returns in {others}:"
    inner = [node for node in tree.walk() if not tree.is_leaf(node)]
    for node in sorted(inner, key=lambda node: int(tree.node_depth[node]))[:MOST_SPLITS]:
        where = " and ".join(condition_words(c, 30) for c in tree.path(node)[-1:])
        place = f" (where {where})" if where else " (at the root)"
        yield f"{percent(float(answer.stability[node]))}: {condition_words(tree.condition(node, 0), 60)}{place}"
    if len(inner) > MOST_SPLITS:
        returned = float(np.nanmean(answer.stability))
        yield f"… and {len(inner) - MOST_SPLITS} more, deeper in the tree; on average {percent(returned)}."


def _errors(answer: Answer) -> Iterator[str]:
    yield worst_leaf(answer)


def _classes(answer: Answer) -> list[str]:
    lines = by_class(answer)
    return (
        lines
        if len(lines) <= MOST_CLASSES + 1
        else [*lines[: MOST_CLASSES + 1], f"… {len(lines) - 1 - MOST_CLASSES} more"]
    )
