"""Reasons: why a tree was chosen, or why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clearwood.best.amounts import a_loss, loss_name, points_text, value_text
from clearwood.best.candidates import Key, complexity
from clearwood.wording import plural, visible

if TYPE_CHECKING:
    from clearwood.best.answer import Answer
    from clearwood.best.wish import Wish

__all__ = ["candidate_words", "no_tree_words", "reason_words"]


def candidate_words(key: Key) -> str:
    """The learner of a candidate, as people know it."""
    return {
        "distilled": "distilling a forest",
        "distilled, sparse tests": "distilling a forest, with sparse tests",
        "linear": "a search for linear trees",
        "Pareto front": "the search of the Pareto front",
    }.get(key.learner, key.learner)


def reason_words(answer: Answer) -> str:
    """Why this tree was chosen."""
    choice, work = answer.choice, answer.work
    assert choice is not None and work is not None
    wish = work.wish
    loss = f"cross-validated {loss_name(answer)}"
    here = value_text(answer, choice.loss)
    among = f"of {choice.n_candidates} trees that were grown"
    if choice.rule == "accuracy":
        asked = f"{100 * (wish.accuracy or 0):g} %"
        if choice.reached:
            return f"The smallest {among} with a cross-validated accuracy of at least {asked}: its error is {here}."
        return (
            f"No tree reaches an accuracy of {asked} in cross-validation; this is the most accurate {among}: its error "
            f"is {here}."
        )
    if choice.rule == "limits":
        limits = [plural(n, one, more) for n, one, more in _limits(wish) if n is not None]
        return f"The least {loss} {among}, with at most {' and '.join(limits)}: {here}."
    if choice.key == choice.best:
        return (
            f"The smallest tree within one standard error of the best readable one, {among}: it is the best itself, "
            f"with a {loss} of {here}."
        )
    bound = ""
    if choice.standard_error > choice.margin:
        bound = f", but more than {points_text(answer, choice.margin)} is never given away"
    elif choice.standard_error < choice.margin:
        bound = f", but less than {points_text(answer, choice.margin)} does not count"
    return (
        f"The smallest {among} whose {loss} ({here}) is within one standard error of that of the best readable one "
        f"({candidate_words(choice.best)}, {plural(complexity(choice.best_tree), 'leaf', 'leaves')}, "
        f"{value_text(answer, choice.best_loss)}). The standard error is that of the difference, since the same rows "
        f"test both: {points_text(answer, choice.standard_error)}{bound}."
    )


def _limits(wish: Wish) -> list[tuple[int | None, str, str]]:
    return [(wish.leaves, "leaf", "leaves"), (wish.features, "feature", "features")]


def no_tree_words(answer: Answer) -> str:
    """Why there is no tree."""
    choice, judged, target = answer.choice, answer.judgement, answer.table.target
    assert choice is not None and judged is not None
    name = visible(target.name) if target else "the class"
    said = visible(answer.table.classes[int(answer.tree.leaf_class[0])])
    limit = _shuts_out_every_tree(answer)
    if limit:
        return f"{limit}: it always says {said}. Whether the columns tell {name} was not asked."
    begin = f"the columns do not tell {name}: "
    if not choice.tree.n_leaves > 1:
        why = f"no tree is better than always saying {said} by more than one standard error."
    else:
        why = (
            f"on rows that they had not seen, the trees that were chosen have {a_loss(answer)} of "
            f"{value_text(answer, judged.error)}, and always saying {visible(answer.table.classes[judged.common])} has "
            f"{value_text(answer, judged.common_error)}; the difference may be chance."
        )
    hidden = _tells_something(answer)
    if hidden:
        begin = f"the columns do not tell {name} well enough to make fewer errors: "
        why += hidden
    return begin + why


def _shuts_out_every_tree(answer: Answer) -> str:
    """Which limit leaves no tree but one leaf, whatever the data say; empty if none does."""
    assert answer.work is not None
    wish = answer.work.wish
    if wish.leaves == 1:
        return "the limit leaves=1 (--leaves 1) allows a tree of one leaf only"
    return "the limit features=0 (--features 0) allows a tree of one leaf only" if wish.features == 0 else ""


def _tells_something(answer: Answer) -> str:
    """A hint where a rare class can be told in part, though saying the common one errs least."""
    judged = answer.judgement
    assert judged is not None and answer.work is not None
    truth = answer.table.y[judged.rows]
    n = np.bincount(truth, minlength=len(answer.table.classes))
    present = np.flatnonzero(n)
    if len(present) != 2 or answer.work.wish.metric != "accuracy":
        return ""
    a, b = (float(n[k]) for k in present)
    auc = judged.forest_auc
    spread = np.sqrt((a + b + 1) / (12 * a * b))  # of the AUC of chance
    if np.isnan(auc) or auc - 0.5 < 3.0 * spread:
        return ""
    return (
        f" But they tell something: a forest ranks the rows with an AUC of {auc:.2f}. If the rarer class matters more, "
        "ask for metric='balanced' (--metric balanced), or say what errors cost (cost_matrix=, --cost-matrix)."
    )
