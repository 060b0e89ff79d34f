"""Fold: one fold of a cross-validation, which grows, prunes and scores a tree for each subset of the features."""

from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.greedy.grower cimport Grower
from clearwood.kernels.greedy.pruner cimport Pruner
from clearwood.kernels.subsets.scorer cimport Scorer
from clearwood.kernels.subsets.subset_scores cimport SubsetScores

from clearwood.kernels.common.agreement import check_lengths, check_range

cdef enum:
    STAY = 2  # subsets by which a fold may be behind before a thread that has another in hand goes there


cdef class Fold:
    """A link in the chain of folds: grows trees from its training rows, prunes them, tests them on the other rows.

    A chain, because a list of objects cannot be walked without Python's lock. A fold may have several links, so that
    several threads work on it; each remembers for itself.
    """
    cdef readonly Grower grower
    cdef Pruner pruner
    cdef Scorer scorer
    cdef Fold following                  # the next link
    cdef bint prunes, is_last            # whether there is a pruner, and no next link
    cdef readonly int32_t number         # its column in the scores
    cdef Py_ssize_t n_following
    cdef const int32_t[::1] test_rows    # the rows that it does not learn from
    cdef double test_weight
    cdef int32_t[::1] features           # scratch: the subset in hand, as a list

    def __init__(self, Grower grower, Pruner pruner, int32_t number, test_rows, double test_weight, Fold following):
        """The pruner may be None; the last fold has none following."""
        check_range("test_rows", test_rows, 0, grower.data.y.shape[0])
        if not test_weight > 0:
            raise ValueError(f"test_weight must be above 0, got {test_weight}.")
        check_range("number", number, 0, 2**31 - 1 if following is None else following.number + 1)
        self.grower, self.pruner, self.scorer = grower, pruner, Scorer(grower)
        self.prunes, self.is_last, self.following = pruner is not None, following is None, following
        self.number, self.test_rows, self.test_weight = number, test_rows, test_weight
        self.n_following = 0 if following is None else following.n_following + 1
        self.features = np.zeros(max(grower.data.n_features, 1), dtype=np.int32)

    cdef int visit(self, SubsetScores scores, Py_ssize_t steps, Py_ssize_t s) except -1 nogil:
        """Score a subset in the fold so many steps down the chain: by recursion, which is as deep as there are folds.
        """
        return self.score(scores, s) if steps == 0 else self.following.visit(scores, steps - 1, s)

    cdef int score(self, SubsetScores scores, Py_ssize_t s) except -1 nogil:
        """Grow, prune and test one tree."""
        cdef Py_ssize_t i
        cdef int32_t f, n = 0
        cdef double correct = 0.0
        for f in range(self.grower.data.n_features):
            if scores.subsets[s, f]:
                self.features[n] = f
                n += 1
        self.grower.start_tree(self.features[:n])
        self.grower.run()
        if self.prunes:
            self.pruner.prune()
        self.scorer.measure(scores.sizes, s, self.number)
        for i in range(self.test_rows.shape[0]):
            if self.scorer.predict(self.test_rows[i]) == self.grower.data.y[self.test_rows[i]]:
                correct += self.grower.data.weights[self.test_rows[i]]
        scores.correct[s, self.number] = correct / self.test_weight
        return 0


def set_folds(SubsetScores scores, Fold first):
    """Say which chain of folds is to fill the scores; once, before threads begin."""
    cdef Fold fold = first
    cdef Py_ssize_t link
    check_lengths(links=first.n_following + 1, fold_of=scores.fold_of.shape[0])
    for link in range(scores.fold_of.shape[0]):
        check_lengths(features=fold.grower.data.n_features, subsets=scores.subsets.shape[1])
        check_range("fold_of", scores.fold_of[link], fold.number, fold.number + 1)
        fold = fold.following
    scores.folds = first


def score_folds(SubsetScores scores, Py_ssize_t link, bint alone):
    """One thread's part of a call, which begins with a link of the chain; ``alone`` says that there is no other."""
    cdef Fold first = scores.folds
    cdef Py_ssize_t s, stay = scores.subsets.shape[0] if alone else STAY
    if first is None:
        raise TypeError("scores must have folds; set_folds gives them.")
    try:
        with nogil:
            link = scores.hold(link, stay)
            while link >= 0:
                s = scores.take(link)
                if s < scores.subsets.shape[0]:
                    first.visit(scores, link, s)
                scores.let_go(link)
                link = scores.hold(link, stay)
    except BaseException:
        scores.fail()
        scores.let_go(link)
        raise
