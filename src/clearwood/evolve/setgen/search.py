"""SubsetSearch: SET-GEN's steady-state genetic search over feature subsets."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from clearwood.checkpoint import pack_generator, unpack_generator
from clearwood.evolve.setgen.genome import cross, delete_feature, mutate, random_genome
from clearwood.evolve.setgen.trees import Judge, Quality
from clearwood.evolve.setgen.units import SubsetUnits
from clearwood.stored_state import StoredState

__all__ = ["Settings", "SubsetSearch"]

MOST_AT_ONCE = 10  # subsets that are judged together: members of the first population, or a child and those foreseen
AT_ONCE = 0.5  # seconds that this should take, so that Ctrl-C is soon heard; how many are taken changes nothing
FURTHEST = 2  # times as many children are foreseen as are judged together; later ones are less often foreseen rightly


@dataclass(frozen=True, slots=True)
class Settings:
    """SET-GEN's parameters, as the classifier has them."""

    population_size: int
    evaluations: int
    genome_size: int
    crossover_rate: float
    mutation_rate: float
    accuracy_weight: float
    batch_size: int = 1
    operator_shares: tuple[float, ...] = (1 / 3, 1 / 3, 1 / 3)
    redeal_every: int | None = None


class _Batch:
    """Subsets that are judged together: accuracy and nodes of each, when it is done."""

    def __init__(self, wait: Callable[[], Quality]) -> None:
        self._wait = wait
        self.done = False
        self.found: list[tuple[float, float]] = []

    def finish(self) -> None:
        quality = self._wait()
        self.found, self.done = list(zip(quality.accuracy.tolist(), quality.n_nodes.tolist(), strict=True)), True


class SubsetSearch:
    """A population of genomes, which grows until it is full and then gives its worst member's place to a fitter child.

    Fitness is ``w A + (1 - w) (1 - (S + F) / 2)``, where A is the mean accuracy of the folds' trees, S their mean
    number of nodes by the mean number of rows that they learn from, and F the share of the features (or of their
    cost) in the subset. A subset without features has trees of one leaf, and its fitness is what the formula says.
    A subset that was seen before is not evaluated again, but counts as an evaluation.

    The best of thousands of subsets on the same folds looks better than it is. With ``redeal_every`` the folds are
    dealt anew after so many evaluations, and once more at the end: the members are judged on the new folds too and
    have the means of all folds that they were judged on, and what is known of other subsets is forgotten.

    Parameters
    ----------
    settings : Settings
    units : SubsetUnits
        What a genome's entries stand for.
    judge : Judge
        Gives the Quality of subsets, one row of truth values by feature for each.
    n_train : float
        The mean number (weight) of the rows that the folds' trees learn from.
    rng : numpy.random.Generator
    redeal : callable or None
        Gives the judge of a deal by its number, from 1 on; needed with ``redeal_every``.
    foresees : int
        How many subsets, a child's and those that the next children will probably have, are judged together, for judges
        that are faster so; 0 for none but the child's. The result is the same.
    """

    unit = "evaluations"

    def __init__(
        self,
        settings: Settings,
        units: SubsetUnits,
        judge: Judge,
        n_train: float,
        rng: np.random.Generator,
        redeal: Callable[[int], Judge] | None = None,
        foresees: int = 0,
    ) -> None:
        self.settings = settings
        self.units = units
        self.record_every = max(1, settings.evaluations // 100)
        self.done = 0
        self._at_once = 1
        self._judge, self._redeal, self._deal = judge, redeal, 0
        self._n_train = n_train
        self._rng = rng
        self._seen: dict[bytes, tuple[float, float, int]] = {}  # mask: accuracy, nodes, how many deals judged it
        self._foresees = foresees
        self._ahead: dict[bytes, tuple[_Batch, int]] = {}  # mask: where subsets are judged that no child has had yet
        self._n_forgotten = 0
        self.genomes = np.empty((0, settings.genome_size), dtype=np.int32)
        self.quality = np.empty((0, 4))  # fitness, A, S, F of each member

    # -- what the loop asks ---------------------------------------------------------------------

    @property
    def total(self) -> int:
        return self.settings.evaluations

    @property
    def finished(self) -> bool:
        return self.done >= self.total and self._deal == self._deals_due(self.done)

    def _deals_due(self, done: int) -> int:
        """How often the folds must have been dealt anew after so many evaluations."""
        every = self.settings.redeal_every
        return 0 if every is None else min(done, self.total - 1) // every + (done >= self.total)

    @property
    def usable(self) -> bool:
        return len(self.genomes) > 0

    @property
    def best(self) -> int:
        """The fittest member, the oldest of equals."""
        return int(np.argmax(self.quality[:, 0]))

    @property
    def n_distinct(self) -> int:
        """How many different subsets have been evaluated; those that were forgotten and came again count twice."""
        return len(self._seen) + self._n_forgotten

    def advance(self) -> None:
        """Evaluate one child, or as many as depend on nothing but the population as it is; or deal the folds anew."""
        if self._deal < self._deals_due(self.done):
            self._judge_anew()
            return
        missing = self.settings.population_size - len(self.genomes)
        wanted = min(missing, self._at_once) if missing > 0 else self.settings.batch_size
        n = min(wanted, self.total - self.done)
        if self.settings.redeal_every is not None:
            n = min(n, self.settings.redeal_every - self.done % self.settings.redeal_every)
        if missing > 0:  # a line of the history comes after the same evaluation, however fast they are
            n = min(n, self.record_every - self.done % self.record_every)
        before = self._rng.bit_generator.state
        try:
            genomes = [self._child(grown=missing <= 0) for _ in range(n)]
            quality = self._evaluate(genomes)
        except BaseException:  # an interrupted step leaves no trace
            self._rng.bit_generator.state = before
            raise
        for genome, found in zip(genomes, quality, strict=True):
            self._offer(genome, found)
        self.done += n

    def row(self) -> dict[str, float]:
        fitness, accuracy, size, share = self.quality[self.best]
        return {
            "evaluations": self.done,
            "best_fitness": fitness,
            "mean_fitness": self.quality[:, 0].mean(),
            "A": accuracy,
            "S": size,
            "F": share,
            "distinct": self.n_distinct,
        }

    def words(self) -> str:
        fitness, accuracy, size, _ = self.quality[self.best]
        n_features = int(self.units.mask(self.genomes[self.best]).sum())
        nodes = size * self._n_train
        return f"fitness {fitness:.4f}, {100 * accuracy:.1f} % right, {nodes:.1f} nodes, {n_features} features"

    def state(self) -> dict[str, np.ndarray]:
        n_features = self.units.members.shape[1]
        masks = np.frombuffer(b"".join(self._seen), dtype=np.uint8).reshape(len(self._seen), n_features)
        return {
            "rng": pack_generator(self._rng),
            "done": np.array(self.done),
            "genomes": self.genomes,
            "quality": self.quality,
            "seen": masks,
            "seen quality": np.array([found[:2] for found in self._seen.values()], dtype=float).reshape(-1, 2),
            "seen deals": np.array([found[2] for found in self._seen.values()], dtype=np.int64),
            "deal": np.array([self._deal, self._n_forgotten]),
        }

    def restore(self, state: dict[str, np.ndarray]) -> None:
        stored = StoredState(state)
        rng, done = unpack_generator(stored.any("rng")), int(stored.whole("done", (), 0, self.total))
        n, n_features = min(done, self.settings.population_size), self.units.members.shape[1]
        genomes = stored.whole("genomes", (n, self.settings.genome_size), -1, self.units.n_units - 1)
        quality = stored.real("quality", (n, 4))
        masks = stored.whole("seen", (None, n_features), 0, 1).astype(np.uint8)
        judged = stored.real("seen quality", (len(masks), 2), 0.0)
        if (judged[:, 0] > 1).any():
            raise ValueError("seen quality must hold shares of rows and numbers of nodes.")
        deal, forgotten = stored.whole("deal", (2,), 0, 2**62).tolist()
        if not self._deals_due(done) - 1 <= deal <= self._deals_due(done):
            raise ValueError("deal must be as often as the folds were dealt anew by then.")
        deals = stored.whole("seen deals", (len(masks),), 1, deal + 1).tolist()
        seen = {
            mask.tobytes(): (float(share), float(nodes), n)
            for mask, (share, nodes), n in zip(masks, judged, deals, strict=True)
        }
        if len(seen) < len(masks) or len(seen) + forgotten > done:
            raise ValueError("seen must hold different subsets, no more of them than evaluations.")
        keys = [self.units.mask(genome).tobytes() for genome in genomes]
        if not all(key in seen for key in keys):
            raise ValueError("genomes must stand for subsets that were seen.")
        expected = [self._quality(genome, *seen[key][:2]) for genome, key in zip(genomes, keys, strict=True)]
        if not np.array_equal(quality, np.array(expected).reshape(-1, 4)):
            raise ValueError("quality must be what the formula gives for the subsets that were seen.")
        self._rng, self.done, self._seen, self._n_forgotten = rng, done, seen, forgotten
        if deal != self._deal and self._redeal is not None:
            self._deal, self._judge = deal, self._redeal(deal)
        self.genomes, self.quality = genomes.astype(np.int32), quality.astype(np.float64)

    # -- the steps of the paper's loop ----------------------------------------------------------

    def _child(self, grown: bool) -> np.ndarray:
        settings, rng = self.settings, self._rng
        n_units = self.units.n_units
        if not grown:
            return random_genome(settings.genome_size, n_units, rng)
        operator = self._operator()
        primary = self.genomes[self._parent()]
        if operator == 0:
            return cross(primary, self.genomes[self._parent()], settings.crossover_rate, rng)
        if operator == 1:
            return mutate(primary, settings.mutation_rate, n_units, rng)
        return delete_feature(primary, rng)

    def _operator(self) -> int:
        """Crossover, mutation or leaving out, as often as their shares say."""
        shares = self.settings.operator_shares
        if len(set(shares)) == 1:
            return int(self._rng.integers(3))
        return int(np.searchsorted(np.cumsum(shares[:2]), self._rng.random(), side="right"))

    def _parent(self) -> int:
        """A member drawn in proportion to its fitness; every one as likely if none has any."""
        wheel = np.maximum(self.quality[:, 0], 0.0).cumsum()
        if not wheel[-1] > 0:
            return int(self._rng.integers(len(wheel)))
        return min(int(wheel.searchsorted(self._rng.random() * wheel[-1], side="right")), len(wheel) - 1)

    def _evaluate(self, genomes: list[np.ndarray]) -> list[np.ndarray]:
        """Fitness, A, S and F of each genome."""
        masks = [self.units.mask(genome) for genome in genomes]
        keys = [mask.tobytes() for mask in masks]
        new = {key: mask for key, mask in zip(keys, masks, strict=True) if key not in self._seen}
        try:
            if not all(key in self._ahead and self._ahead[key][0].done for key in new):
                self._begin_with_next(new, len(genomes))
            found = {key: self._wait(batch)[place] for key, (batch, place) in self._ahead.items() if key in new}
        except BaseException:
            self._ahead = {}  # what was broken off is begun anew
            raise
        self._seen.update({key: (*found[key], 1) for key in new})
        return [self._quality(genome, *self._seen[key][:2]) for genome, key in zip(genomes, keys, strict=True)]

    def _begin_with_next(self, new: dict[bytes, np.ndarray], n_children: int) -> None:
        """Begin to judge subsets, and those that children after these will have if the population stays as it is.

        A child that takes a member's place changes few of the next children, for most come from other parents: of
        those foreseen, nine in ten come. Each subset's quality is its own, so that to know it earlier changes nothing.
        Two batches are under way, so that threads go on with the second while the children of the first are made. The
        members of the first population depend on nothing, and are foreseen without fail.
        """
        wanted = {key: mask for key, mask in new.items() if key not in self._ahead}
        ahead = {key: self._ahead[key] for key in new if key in self._ahead}
        missing = self.settings.population_size - len(self.genomes)
        at_once = self._at_once if missing > 0 else min(self._at_once, self._foresees)
        n_needed, most = len(wanted), max(at_once, len(wanted))
        if self._foresees:
            room = most if any(not batch.done for batch, _ in self._ahead.values()) else 2 * most
            before = self._rng.bit_generator.state
            try:
                for ahead_of in range(min(FURTHEST * most, self._until_deal(self.done + n_children))):
                    if len(wanted) >= room or 0 < missing <= n_children + ahead_of:  # its parents are not known yet
                        break
                    mask = self.units.mask(self._child(grown=missing <= 0))
                    key = mask.tobytes()
                    if key in self._ahead:
                        ahead[key] = self._ahead[key]
                    elif key not in self._seen:
                        wanted[key] = mask
            finally:
                self._rng.bit_generator.state = before
        keys, self._ahead = list(wanted), ahead
        for first in range(0, len(keys), most):
            part = keys[first : first + most]
            if n_needed or len(part) == most or self._until_deal(self.done + n_children) <= FURTHEST * most:
                batch = _Batch(self._judge.begin(np.array([wanted[key] for key in part])))
                self._ahead.update({key: (batch, place) for place, key in enumerate(part)})

    def _wait(self, batch: _Batch) -> list[tuple[float, float]]:
        """What became of a batch's subsets."""
        if not batch.done:
            begun = time.perf_counter()
            batch.finish()
            slow = time.perf_counter() - begun > AT_ONCE
            self._at_once = max(1, self._at_once // 2) if slow else min(2 * self._at_once, MOST_AT_ONCE)
        return batch.found

    def _until_deal(self, done: int) -> int:
        """How many evaluations are left after so many, before the folds are dealt anew."""
        every, left = self.settings.redeal_every, self.total - done
        return left if every is None else min(left, -done % every)

    def _judge_anew(self) -> None:
        """Deal the folds anew, and judge the members on them too; all of it, or nothing if it is interrupted."""
        if self._redeal is None:
            raise ValueError("redeal_every needs redeal.")
        judge = self._redeal(self._deal + 1)
        keys = [self.units.mask(genome).tobytes() for genome in self.genomes]
        members = dict(zip(keys, (self.units.mask(genome) for genome in self.genomes), strict=True))
        found = judge(np.array(list(members.values())))
        seen = {}
        for key, accuracy, nodes in zip(members, found.accuracy.tolist(), found.n_nodes.tolist(), strict=True):
            before, nodes_before, n = self._seen[key]
            seen[key] = (before * n + accuracy) / (n + 1), (nodes_before * n + nodes) / (n + 1), n + 1
        self._n_forgotten += len(self._seen) - len(seen)
        self._judge, self._deal, self._seen, self._ahead = judge, self._deal + 1, seen, {}
        self.quality = np.array([self._quality(g, *seen[key][:2]) for g, key in zip(self.genomes, keys, strict=True)])

    def _quality(self, genome: np.ndarray, accuracy: float, nodes: float) -> np.ndarray:
        weight = self.settings.accuracy_weight
        size, share = nodes / self._n_train, self.units.size(genome)
        fitness = weight * accuracy + (1 - weight) * (1 - (size + share) / 2)
        return np.array([fitness, accuracy, size, share])

    def _offer(self, genome: np.ndarray, quality: np.ndarray) -> None:
        """Add a child to a population that is not full; else put it in the worst one's place if it is fitter."""
        if len(self.genomes) < self.settings.population_size:
            self.genomes = np.vstack([self.genomes, genome])
            self.quality = np.vstack([self.quality, quality])
            return
        worst = int(np.argmin(self.quality[:, 0]))
        if quality[0] > self.quality[worst, 0]:
            self.genomes[worst] = genome
            self.quality[worst] = quality
