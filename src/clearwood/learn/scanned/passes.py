"""Passes: all rows once through Python, batch by batch, where an engine hands them over inside this process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from clearwood.learn.scanned.nodes import Node
from clearwood.learn.scanned.routes import router_to
from clearwood.scan.engines.engine import Engine, StreamingEngine
from clearwood.scan.scan import Scan

__all__ = ["AnyTaker", "Batch", "Pass"]


class Batch(NamedTuple):
    """Some rows: by feature numbers, NaN for a missing one, or codes, -1 for one; the wanted node, -1 for none.

    And the class and the weight.
    """

    cells: dict[int, np.ndarray]
    node: np.ndarray
    y: np.ndarray
    weight: np.ndarray


class Taker(Protocol):
    """What takes batches."""

    def take(self, batch: Batch) -> None:
        """Use a batch; its arrays are not kept."""


AnyTaker = TypeVar("AnyTaker", bound=Taker)


class Pass:
    """A way through rows.

    Parameters
    ----------
    scan : Scan
        Whose rows.
    engine : StreamingEngine
        What hands them over.
    nodes : sequence of Node
        Where rows are wanted; none lies below another, and no row is shared out on the way to any.
    features : sequence of int
        Those wanted in the batches; those that are tested on the way to nodes come too.
    weighted : bool
        Whether the weights of rows are wanted; else each is 1.
    without_class : bool
        Whether rows without a class come too, as if they had the first; else they are left out.
    """

    def __init__(
        self,
        scan: Scan,
        engine: StreamingEngine,
        nodes: Sequence[Node],
        features: Sequence[int],
        *,
        weighted: bool = False,
        without_class: bool = False,
    ) -> None:
        tested = {above.feature for node in nodes for above, _ in node.path}
        self.features = sorted({*features, *tested})
        self._nominal = {feature for feature in self.features if scan.columns[feature].is_nominal}
        self._engine, self._weighted, self._without_class = engine, weighted, without_class
        self._tested = [sorted(tested - self._nominal), sorted(tested & self._nominal)]
        self._route = router_to({node: n for n, node in enumerate(nodes)}, engine, *self._tested)

    def give(
        self,
        make: Callable[[], AnyTaker],
        relation: Callable[[Engine], str],
        look: Callable[[], None] | None,
        most: int,
    ) -> list[AnyTaker]:
        """Go through the rows, at most so many parts of them side by side; returns what took each part.

        ``relation`` has the cells of the features, y and w in an engine's part; ``look`` is called between batches, and
        may raise.
        """
        stopped: list[bool] = []

        def go(part: StreamingEngine, statement: str) -> AnyTaker:
            try:
                taker = make()  # here: what it holds is made ready by all threads at once
                for columns in part.batches(statement):
                    if stopped:
                        break
                    if look is not None:
                        look()
                    taker.take(self._batch(columns))
            except BaseException:
                stopped.append(True)
                raise
            return taker

        with self._engine.parts(most) as parts:
            given = [(part, self._statement(relation(part))) for part in parts]  # here: it may make types in the engine
            if len(parts) == 1:
                return [go(*given[0])]
            with ThreadPoolExecutor(len(parts)) as pool:
                try:
                    return [done.result() for done in [pool.submit(go, *one) for one in given]]
                except BaseException:  # Ctrl-C comes to this thread alone
                    stopped.append(True)
                    raise

    def _statement(self, relation: str) -> str:
        items = [
            f"CAST(coalesce(c{f}, -1) AS INTEGER) AS c{f}" if f in self._nominal else f"CAST(c{f} AS DOUBLE) AS c{f}"
            for f in self.features
        ]
        items += ["CAST(coalesce(y, 0) AS INTEGER) AS y", *(["CAST(w AS DOUBLE) AS w"] if self._weighted else [])]
        wanted = "" if self._without_class else " WHERE y IS NOT NULL"
        return f"SELECT {', '.join(items)} FROM {relation}{wanted}"

    def _batch(self, columns: Sequence[np.ndarray]) -> Batch:
        cells = dict(zip(self.features, columns, strict=False))
        y = columns[len(self.features)]
        numeric, nominal = (
            np.array([cells[feature] for feature in tested], dtype=kind).reshape(len(tested), len(y))
            for tested, kind in zip(self._tested, (np.float64, np.int32), strict=True)
        )
        return Batch(cells, self._route(numeric, nominal), y, columns[-1] if self._weighted else np.ones(len(y)))
