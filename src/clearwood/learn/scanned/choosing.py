"""Choosing: the feature that each node of a level tests; values are looked into until it, and its cut, are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from clearwood.kernels.greedy.rules import Rules
from clearwood.learn.scanned.candidates import Candidate, choose
from clearwood.learn.scanned.nodes import Node
from clearwood.learn.scanned.numeric import Numeric
from clearwood.learn.scanned.questions import Questions
from clearwood.learn.scanned.segments import Range
from clearwood.learn.scanned.spans import decide, span_of_candidate
from clearwood.learn.scanned.walk import STRETCH_ROWS, Walk
from clearwood.threads import each

__all__ = ["Choosing"]

LITTLE = 100
"""One of so many rows, that is: they are looked at though they may turn out not to matter."""

Pair = tuple[int, int]
"""The place of a node among those of a level, and a feature."""


@dataclass
class Choosing:
    """Decides for the nodes of a level.

    Parameters
    ----------
    questions : Questions
        What is asked of the engine.
    rules : Rules
        The learner's.
    wide : array of bool
        By feature whether it has very many values; see ``Levels``.
    nodes : sequence of Node
        The nodes of the level.
    exact, numbers : mapping of pair to Candidate, Numeric
        The candidates of nominal features, and what is known of numeric ones; of these more and more.
    n_threads : int
        How many share the work.
    """

    questions: Questions
    rules: Rules
    wide: np.ndarray
    nodes: Sequence[Node]
    exact: Mapping[Pair, Candidate]
    numbers: dict[Pair, Numeric]
    n_threads: int = 1

    def choose(self) -> list[int]:
        """The feature that each node tests, -1 for none."""
        chosen: dict[int, int] = {}
        while len(chosen) < len(self.nodes):
            open_pairs = [pair for pair in self.numbers if pair[0] not in chosen]
            each(lambda pair: self.numbers[pair].span, open_pairs, self.n_threads)
            wanted: dict[Pair, list[slice]] = {}
            walks: dict[Pair, Walk] = {}
            for place in range(len(self.nodes)):
                if place not in chosen:
                    best, unsure = self._decide(place)
                    if best is not None:
                        chosen[place] = best
                    elif self.questions.many(self.nodes[place]) == 1:
                        wanted |= {(place, feature): self.numbers[place, feature].wanted() for feature in unsure}
                    else:
                        self._ask_ahead(place, unsure, wanted, walks)
            if wanted:
                self._look_closer(wanted)
            if walks:
                self._walk(walks)
        return [chosen[place] for place in range(len(self.nodes))]

    def _at(self, place: int) -> dict[int, Numeric]:
        return {feature: numeric for (p, feature), numeric in self.numbers.items() if p == place}

    def _decide(self, place: int) -> tuple[int | None, list[int]]:
        """The feature that a node tests, or those to look at more closely."""
        known = {feature: candidate for (p, feature), candidate in self.exact.items() if p == place}
        numbers = self._at(place)
        if all(numeric.span.exact for numeric in numbers.values()):
            known |= {feature: numeric.exact for feature, numeric in numbers.items()}
            return (choose(known, self.wide, self.rules) if known else -1), []
        spans = {feature: span_of_candidate(candidate) for feature, candidate in known.items()}
        spans |= {feature: numeric.span for feature, numeric in numbers.items()}
        best, unsure = decide(spans, self.wide, self.rules)
        if best is not None and best in numbers and not numbers[best].is_decided:
            return None, [best]
        return best, unsure

    def _ask_ahead(
        self, place: int, unsure: Sequence[int], wanted: dict[Pair, list[slice]], walks: dict[Pair, Walk]
    ) -> None:
        """What to look into, and what may have to be next, for to go through all rows takes longer than to pick some.

        Of features that may win what is little, and of the one that seems to win what its cut may depend on.
        """
        numbers = self._at(place)
        worth = {feature: numeric.span.worth(self.rules) for feature, numeric in numbers.items()}
        leader = max(worth, key=lambda feature: worth[feature][0])
        few, least = self.nodes[place].n_rows // LITTLE, worth[leader][0]
        for feature, numeric in numbers.items():
            walk = numeric.walk() if feature in unsure else None
            if walk is not None:
                walks[place, feature] = walk
            elif feature in unsure or (
                worth[feature][1] >= least and not numeric.is_decided and numeric.n_wanted() <= few
            ):
                wanted[place, feature] = numeric.wanted(ahead=feature == leader)

    def _look_closer(self, wanted: Mapping[Pair, list[slice]]) -> None:
        """Look into the segments that matter of features at nodes."""
        runs = {pair: wanted[pair] for pair in sorted(wanted, key=lambda pair: pair[1])}
        ranges: dict[int, list[tuple[int, Range]]] = {}
        for (place, feature), rs in runs.items():
            ranges.setdefault(feature, []).extend((place, self.numbers[place, feature].range(r)) for r in rs)
        _, found = self.questions.count(self.nodes, (), ranges)
        finer = {feature: iter(segments) for feature, segments in found.items()}
        for pair, rs in runs.items():
            self.numbers[pair] = self.numbers[pair].refined(rs, [next(finer[pair[1]]) for _ in rs])

    def _walk(self, walks: Mapping[Pair, Walk]) -> None:
        """Go through the values of features at nodes until their best cuts are known, many side by side."""
        at_once = min(self.numbers[pair].at_once for pair in walks)
        most = max(1, at_once // STRETCH_ROWS)  # each takes a stretch at least
        while going := dict(islice(((pair, walk) for pair, walk in walks.items() if not walk.is_done), most)):
            n_rows = at_once // len(going)
            stretches = [(pair, stretch) for pair, walk in going.items() for stretch in walk.next(n_rows)]
            ranges: dict[int, list[tuple[int, Range]]] = {}
            for (place, feature), stretch in stretches:
                if stretch.range is not None:
                    ranges.setdefault(feature, []).append((place, stretch.range))
            _, found = self.questions.count(self.nodes, (), ranges)
            values = {feature: iter(segments) for feature, segments in found.items()}
            pieces = [
                (pair, stretch, None if stretch.range is None else next(values[pair[1]])) for pair, stretch in stretches
            ]
            if any(known is not None and known.rows.sum() != stretch.n_rows for _, stretch, known in pieces):
                raise self.questions.scan.changed()
            records = each(lambda piece: walks[piece[0]].records(*piece[1:]), pieces, self.n_threads)
            for (pair, _, _), known in zip(pieces, records, strict=True):
                walks[pair].follow(known)
        for pair, walk in walks.items():
            self.numbers[pair] = replace(self.numbers[pair], walked=walk.found)
