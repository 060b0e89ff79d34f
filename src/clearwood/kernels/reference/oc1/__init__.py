"""The twins of OC1's kernels."""

from clearwood.kernels.reference.oc1.impurity import impurity

__all__ = ["impurity"]
