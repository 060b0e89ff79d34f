"""Crossover: two trees exchange a subtree or a test."""

from clearwood.kernels.common.random_stream cimport RandomStream
from clearwood.kernels.linear.tree cimport LinearTree


cdef int cross(LinearTree one, LinearTree two, RandomStream *random) except -1 nogil
