"""Plain: the answer as values that JSON can hold."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from clearwood.best.candidates import complexity
from clearwood.best.details import calibration_figures, class_figures

if TYPE_CHECKING:
    from clearwood.best.answer import Answer

__all__ = ["answer_dict"]


def answer_dict(answer: Answer) -> dict[str, Any]:
    """Everything that the answer says, for machines."""
    seen = answer.look
    found: dict[str, Any] = {
        "table": answer.table.name,
        "rows": seen.n_rows,
        "classes": dict(zip(seen.classes, seen.shares, strict=True)),
        "left_out": {
            "identifiers": list(seen.identifiers),
            "empty": list(seen.empty),
            "constant": list(seen.constant),
            "duplicates": [list(pair) for pair in seen.duplicates],
        },
        "leaks": [leak._asdict() | {"left_out": seen.leaks_dropped} for leak in seen.leaks],
        "tells": answer.tells,
        "error": answer.error,
        "interval": [answer.interval.low, answer.interval.high],
        "reason": answer.reason,
        "learner": answer.learner,
        "leaves": answer.tree.n_leaves,
        "size": complexity(answer.tree),
        "features": list(answer.tree.features),
        "tree": json.loads(answer.tree.to_json()),
    }
    judged, choice, work = answer.judgement, answer.choice, answer.work
    if judged is None or choice is None or work is None:
        return found
    found |= {
        "metric": work.wish.metric,
        "judged_by": work.scheme.words,
        "majority_error": judged.common_error,
        "scores": {name: None if math.isnan(value) else value for name, value in judged.scores.items()},
        "yardsticks": {
            name: {"error": loss, "difference": [gap.mean, gap.low, gap.high]}
            for name, (loss, gap) in judged.yardsticks.items()
        },
        "by_class": class_figures(answer),
        "calibration": dict(zip(("claimed", "right", "gap"), calibration_figures(answer), strict=True)),
        "chosen": {"learner": choice.key.learner, "cross_validated": choice.loss},
        "best_readable": {
            "learner": choice.best.learner,
            "leaves": choice.best_tree.n_leaves,
            "cross_validated": choice.best_loss,
        },
        "candidates": choice.n_candidates,
        "tried": work.finished,
        "not_tried": [*(answer.plan.left_out if answer.plan else ()), *work.unfinished],
    }
    if answer.stability is not None:
        found["stability"] = [None if math.isnan(share) else share for share in answer.stability.tolist()]
    return found
