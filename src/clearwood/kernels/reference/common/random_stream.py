"""RandomStream with Python's numbers: SplitMix64 and the forms of a draw."""

from __future__ import annotations

MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15


def mixed(z: int) -> int:
    """SplitMix64's mixing function."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


class RandomStream:
    """A stream that begins at a state.

    >>> RandomStream(1234567).bits()  # the first number of the generator's published test
    6457827717110365317
    """

    def __init__(self, state: int) -> None:
        self.state = state & MASK

    @classmethod
    def of(cls, seed: int, step: int, part: int) -> RandomStream:
        """The stream of one part of one step."""
        return cls(mixed(mixed((seed + GAMMA * (step + 1)) & MASK) ^ (part * 0xD1342543DE82EF95 & MASK)))

    def bits(self) -> int:
        self.state = (self.state + GAMMA) & MASK
        return mixed(self.state)

    def fraction(self) -> float:
        return (self.bits() >> 11) / 2**53

    def below(self, n: int) -> int:
        return (self.bits() >> 32) * n >> 32

    def nearly_normal(self) -> float:
        return sum((self.fraction() for _ in range(12)), start=-6.0)
