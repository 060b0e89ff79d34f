"""cached_property: computed once, and by threads for different objects at the same time."""

import threading

from clearwood.cached import cached_property
from clearwood.threads import each


class Thing:
    """Counts how often its value is computed, after others have begun to compute theirs."""

    def __init__(self, gate=None):
        self.gate, self.n_computed = gate, 0

    @cached_property
    def value(self):
        """What it is worth."""
        self.n_computed += 1
        if self.gate is not None:
            self.gate.wait()
        return 7


def test_a_value_is_computed_once_for_each_object():
    first, second = Thing(), Thing()
    assert [first.value, first.value, second.value] == [7, 7, 7]
    assert first.n_computed == second.n_computed == 1
    assert Thing.value.__doc__ == "What it is worth."


def test_objects_do_not_wait_for_one_another():
    gate = threading.Barrier(2, timeout=30)  # breaks if the second is not let in while the first computes
    assert each(lambda thing: thing.value, [Thing(gate), Thing(gate)], 2) == [7, 7]
