"""Hold out: a learner judged on a part of a Scan that it did not learn from."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from clearwood.evaluate.evaluation import Evaluation, HeldOut
from clearwood.evaluate.fold import seeded
from clearwood.evaluate.scores import SCORES, score
from clearwood.learn.scanned.judging import Judged, judge
from clearwood.learn.scanned.nodes import Node
from clearwood.learn.scanned.questions import Questions
from clearwood.routing import Routing
from clearwood.scan.parts import check_share, split_rows
from clearwood.scan.scan import Scan

__all__ = ["judge_holdout"]


def judge_holdout(
    learner: Any, scan: Any, holdout: float | None, random_state: Any, *, cv: int, repeats: int, progress: Any
) -> Evaluation:
    """What :func:`clearwood.evaluate` finds on a Scan."""
    if not isinstance(scan, Scan):
        raise TypeError(f"table must be a Table or a Scan, got {type(scan).__name__}; clearwood.read makes a Table.")
    if holdout is None:
        raise ValueError(
            "a Scan is judged by rows that are held out once, not by cross-validation; pass holdout=0.2, or "
            "scan.sample(n), a Table of n random rows."
        )
    share = check_share("holdout", holdout)
    if (cv, repeats) != (10, 5):
        raise ValueError("cv and repeats are for a Table; rows of a Scan are held out once: leave them out.")
    if isinstance(random_state, bool) or not isinstance(random_state, int):
        raise ValueError(f"random_state must be a whole number with a Scan, whose rows it deals, got {random_state!r}.")
    with scan.open() as engine:
        rest, held_out = split_rows(scan, engine, share, random_state)
        asked = {part: Questions(part_of, engine) for part, part_of in (("rest", rest), ("held_out", held_out))}
        for part, questions in asked.items():
            if not questions.weights()[0] > 0:
                named = "are held out" if part == "held_out" else "are left to learn from"
                raise ValueError(f"holdout={holdout!r}: no rows of {scan.source} {named}; give another share.")
    begun = perf_counter()
    tree = seeded(learner, random_state).fit(rest).tree_
    seconds = perf_counter() - begun
    with scan.open() as engine:
        found = judge(Questions(held_out, engine), tree)
        y, predicted, chances, weights = _answers(found)
        learned, n_learned = Questions(rest, engine).totals([Node.top(len(scan.classes))])
        total, squares, _ = found.questions.weights()
    if progress is not None:
        progress(1, 1)
    confusion = np.zeros((len(scan.classes), len(scan.classes)))
    np.add.at(confusion, (y, predicted), weights)
    scores = score(scan.classes, y, chances, predicted, weights)
    return Evaluation(
        learner=" ".join(repr(learner).split()),
        table=scan.source,
        cv=1,
        repeats=1,
        accuracy=np.array([np.trace(confusion) / confusion.sum()]),
        leaves=np.array([float(tree.n_leaves)]),
        nodes=np.array([float(tree.n_nodes)]),
        depth=np.array([float(tree.depth)]),
        features=np.array([float(len(tree.features))]),
        fit_seconds=np.array([seconds]),
        train_rows=n_learned,
        test_rows=np.array([found.n_rows]),
        classes=scan.classes,
        confusion=confusion,
        majority=np.array([confusion[int(np.argmax(learned[0]))].sum() / confusion.sum()]),
        scores={name: np.array([scores[name]]) for name in SCORES if name != "accuracy"},
        holdout=HeldOut(share, total**2 / squares),
    )


def _answers(found: Judged) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """True and predicted class, probabilities and weight: of the rows in each leaf together, and of each other row."""
    tree, routing = found.tree, Routing(found.tree)
    leaves = np.array([node for node in tree.walk() if tree.is_leaf(node)])
    place, y = np.nonzero(found.counts[leaves])
    leaf = leaves[place]
    parts = [(y, routing.leaf_class[leaf], routing.smooth[leaf], found.counts[leaf, y])]
    for table in found.tables():
        parts.append((table.y, routing.predicted(table), routing.probabilities(table), table.weights))
    y, predicted, chances, weights = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return y, predicted, chances, weights
