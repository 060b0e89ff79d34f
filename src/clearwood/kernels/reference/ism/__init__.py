"""The twin of ISM's kernels: a tree that stands for an ensemble, with every candidate asked of every tree."""

from clearwood.kernels.reference.ism.boxes import Box, Inner, Node, Test, leaves
from clearwood.kernels.reference.ism.grow import Grown, Rows, grow
from clearwood.kernels.reference.ism.spread import spread_of_intervals, spread_of_sets

__all__ = ["Box", "Grown", "Inner", "Node", "Rows", "Test", "grow", "leaves", "spread_of_intervals", "spread_of_sets"]
