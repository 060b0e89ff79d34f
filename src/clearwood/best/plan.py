"""Plan: how a budget of time is spent, worked out beforehand from the size of the table and never by the clock."""

from __future__ import annotations

import math
from dataclasses import dataclass

from clearwood.best.forward import BLOCKS
from clearwood.best.splits import LARGE

__all__ = ["BUDGET", "Effort", "Plan", "make_plan"]

BUDGET = 60.0  # seconds on two cores
SPENT = 0.6  # the part of a budget that is planned for: other machines are slower, and estimates are estimates
CORES = 2
RATIO = 1.3  # of neighbouring sizes
GREEDY_ROWS, SEARCH_ROWS, SEARCH_CELLS, LEAST_SEARCHED = 200_000, 20_000, 1_000_000, 2000
SCALES = (8.0, 4.0, 2.0, 1.0, 0.5, 0.25, 0.1)  # of the effort of searches
DISTILLED = 0.75  # the most of the room that distilled trees get: of all learners they are most often the best
LESSONS = ((48, 64, 5000), (36, 48, 3000), (24, 32, 2000), (12, 32, 1000), (6, 32, 1000), (0, 32, 500))
"""What distilled trees may take: the largest sparse and axis-parallel trees, and how many rows a teacher is asked."""


@dataclass(frozen=True)
class Effort:
    """How long learners search, and from how many rows.

    Attributes
    ----------
    greedy_rows, search_rows, setgen_rows, linear_rows : int
        The most rows that a learner grows its trees from.
    greedy_sizes, distilled_sizes, sparse_sizes, pareto_sizes : tuples of int
        The most leaves that trees are asked for.
    cart_leaf : int
        The rows that a leaf of CART's holds at least.
    forest_trees, synthetic : int
        The teacher's trees, and the rows that it is asked about.
    generations, evaluations, linear_generations, boosting_rounds : int
        The length of searches.
    """

    greedy_rows: int
    search_rows: int
    setgen_rows: int
    linear_rows: int
    greedy_sizes: tuple[int, ...]
    distilled_sizes: tuple[int, ...]
    sparse_sizes: tuple[int, ...]
    pareto_sizes: tuple[int, ...]
    cart_leaf: int
    forest_trees: int
    synthetic: int
    generations: int
    evaluations: int
    linear_generations: int
    boosting_rounds: int


@dataclass(frozen=True)
class Plan:
    """What is tried, how hard, and how often.

    Attributes
    ----------
    n_folds : int
        Of the cross-validation.
    stages : tuple of str
        What is grown, quick ones first.
    left_out : tuple of str
        Stages that the budget has no room for.
    effort : Effort
    seconds : float
        The estimate, on two cores.
    """

    n_folds: int
    stages: tuple[str, ...]
    left_out: tuple[str, ...]
    effort: Effort
    seconds: float


def make_plan(
    n_rows: int,
    n_features: int,
    n_classes: int,
    budget: float = BUDGET,
    *,
    in_time: bool = False,
    most: int | None = None,
) -> Plan:
    """A plan for a table of that size; the same size and budget give the same plan anywhere.

    Parameters
    ----------
    n_rows, n_features, n_classes : int
    budget : float
        Seconds on two cores.
    in_time : bool
        Whether rows are tested forward in time.
    most : int or None
        The most leaves that are wanted.

    >>> make_plan(1000, 20, 2).n_folds, make_plan(100, 5, 2).n_folds
    (6, 8)
    """
    n_folds = 8 if n_rows < 500 else 6 if n_rows < 3000 else 5
    large = n_rows > LARGE
    n_fits = 1 if large else BLOCKS if in_time else n_folds * (n_folds + 1) // 2 + 1
    n_judged = 1 if large else n_folds
    cores = 1 if n_fits == 1 else CORES
    room = SPENT * cores * budget
    highest = max(1.0, min(4.0, n_rows / 250)) * max(1.0, budget / BUDGET)
    stages: tuple[str, ...] = ("greedy", "distilled", "pareto", "setgen", "linear", "boosting")
    rows = n_rows if not large else 3 * n_rows // 5

    def each_work(lesson: tuple[int, int, int], scale: float) -> dict[str, float]:
        effort = _effort(rows, n_features, n_classes, lesson, scale, most)
        return _work(stages, effort, rows, n_features, n_classes, n_fits, n_judged)

    lesson = next((one for one in LESSONS if each_work(one, 1.0)["distilled"] <= DISTILLED * room), LESSONS[-1])
    within = [scale for scale in SCALES if scale <= highest]
    scale = next((scale for scale in within if sum(each_work(lesson, scale).values()) <= room), within[-1])
    each = each_work(lesson, scale)
    left_out: list[str] = []
    if each["greedy"] + each["distilled"] > room:
        left_out.append("distilled")
    while sum(each[stage] for stage in stages if stage not in left_out) > room:
        others = [stage for stage in stages if stage not in ("greedy", "distilled", *left_out)]
        if not others:
            break
        left_out.append(max(others, key=lambda stage: each[stage]))
    stages = tuple(stage for stage in stages if stage not in left_out)
    effort = _effort(rows, n_features, n_classes, lesson, scale, most)
    return Plan(n_folds, stages, tuple(left_out), effort, sum(each[stage] for stage in stages) / cores)


def ladder(largest: int, ratio: float = RATIO) -> tuple[int, ...]:
    """Numbers of leaves from 2 on, each so many times the one before.

    >>> ladder(20)
    (2, 3, 4, 5, 6, 8, 10, 13, 17, 20)
    """
    from clearwood.learn.distilled.sizes import sizes_up_to

    return tuple(sizes_up_to(largest, ratio)) if largest >= 2 else ()


def _effort(
    n_rows: int, n_features: int, n_classes: int, lesson: tuple[int, int, int], scale: float, most: int | None
) -> Effort:
    sparse, axis, synthetic = lesson
    largest = max(2, n_rows // 4)
    many = max(0, n_classes - 8)  # a tree for many classes needs a leaf for each
    limit = largest if most is None else max(2, min(largest, most))
    search_rows = max(LEAST_SEARCHED, min(SEARCH_ROWS, SEARCH_CELLS // max(n_features, 1)))
    return Effort(
        greedy_rows=GREEDY_ROWS,
        search_rows=search_rows,
        setgen_rows=min(search_rows, 10_000),
        linear_rows=min(search_rows, 10_000),
        greedy_sizes=ladder(limit),
        distilled_sizes=ladder(min(limit, axis + 2 * many)),
        sparse_sizes=ladder(min(limit, max(8, n_rows // 6), sparse + 2 * many if sparse else 0)),
        pareto_sizes=ladder(min(limit, 16 + 2 * min(many, 20))),
        cart_leaf=1 if n_rows < 10_000 else 5,
        forest_trees=300 if n_rows < 1000 else 200 if n_rows < 5000 else 100,
        synthetic=min(synthetic, max(2000, 25 * n_rows)),
        generations=max(10, round(50 * scale)),
        evaluations=max(50, round(200 * scale)),
        linear_generations=max(100, round(500 * scale)),
        boosting_rounds=max(10, min(100, 300 // max(n_classes, 2))),
    )


def _work(
    stages: tuple[str, ...], effort: Effort, n_rows: int, n_features: int, n_classes: int, n_fits: int, n_judged: int
) -> dict[str, float]:
    """Seconds of one core for each stage. The factors were measured, on one machine; they need not be exact."""
    searched = min(n_rows, effort.search_rows)
    p, soft = max(n_features, 1), searched + effort.synthetic
    depth = math.log2(max(searched, 2))
    axis, sparse = effort.distilled_sizes, effort.sparse_sizes
    lesson = p * (4e-8 * len(axis) + 5e-7 * len(sparse)) + 2e-7 * sum(axis) + 4e-7 * sum(sparse)
    cells, greedy = searched * p, min(n_rows, effort.greedy_rows) * p
    set_cells, linear_cells = min(n_rows, effort.setgen_rows) * p, min(n_rows, effort.linear_rows) * p
    many = 1 + n_classes / 10
    forest = effort.forest_trees * depth * (searched * math.sqrt(p) + effort.synthetic)
    each = {
        "greedy": n_fits * (0.01 + 4e-7 * greedy * many),
        "distilled": n_fits * (0.05 + 6e-9 * forest + soft * lesson),
        "pareto": n_fits * effort.generations * (3e-4 + 2.5e-7 * min(cells, 20_000) + 6e-8 * cells) * many,
        "setgen": n_fits * effort.evaluations * (1e-4 + 3e-8 * set_cells * min(n_classes, 10)),
        "linear": n_fits * effort.linear_generations * (1e-4 + 8e-9 * linear_cells) * many,
        "boosting": n_judged * effort.boosting_rounds * n_classes * (1e-4 + 2e-7 * min(cells, 5000) + 5e-9 * cells),
    }
    return {stage: each[stage] for stage in stages}
