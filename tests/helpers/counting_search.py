"""CountingSearch: a search small enough to follow by hand; it adds up random numbers."""

import numpy as np

from clearwood.checkpoint import pack_generator, unpack_generator


class CountingSearch:
    unit = "steps"

    def __init__(self, total=100, seed=0, record_every=10, on_step=None):
        self.total, self.record_every = total, record_every
        self.rng = np.random.default_rng(seed)
        self.done, self.sum = 0, 0.0
        self.on_step = on_step

    @property
    def finished(self):
        return self.done >= self.total

    @property
    def usable(self):
        return self.done > 0

    def advance(self):
        if self.on_step is not None:
            self.on_step(self.done)
        self.sum += self.rng.random()
        self.done += 1

    def row(self):
        return {"steps": self.done, "sum": self.sum}

    def words(self):
        return f"sum {self.sum:.2f}"

    def state(self):
        return {"rng": pack_generator(self.rng), "done": np.array(self.done), "sum": np.array(self.sum)}

    def restore(self, state):
        self.rng = unpack_generator(state["rng"])
        self.done, self.sum = int(state["done"]), float(state["sum"])
