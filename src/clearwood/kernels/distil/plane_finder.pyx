"""PlaneFinder: a hyper-plane for a node's two-class problem.

Rows have prices as in :mod:`axis_finder`: the sign says on which side a row should be, the size how much it matters. So
a direction comes from a weighted logistic regression of the sign, fitted to a sample; the terms of a sparse plane are
selected one by one by how much each would add to a linear discriminant. Along the direction, the cheapest cut is found
exactly over all rows. Each term but the first has a price, so a plane must be worth its terms. A full plane weighs all
numbers, at the price of one term; planes that ask for values of nominal columns are sparse in any case.
"""

from cython cimport final
from libc.math cimport INFINITY, exp, fabs, isfinite, isnan, sqrt
from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.number_sort cimport NumberSort
from clearwood.kernels.common.square_sums cimport add_rows, add_squares
from clearwood.kernels.distil.search_tree cimport SearchTree
from clearwood.kernels.distil.value_screen cimport ValueScreen

cdef int32_t SAMPLE = 1000  # rows that a direction is fitted to: every k-th where there are more
cdef double RIDGE = 1e-3  # the penalty on squared weights, by the sample's weight
cdef int32_t NEWTON_STEPS = 5
cdef double WIDEST_STEP = 5.0  # of a weight in one Newton step
cdef double NO_GAP = 1e-9  # projections nearer than this are not told apart
PROJECTED = np.dtype([("key", "f8"), ("price", "f8"), ("real", "i4"), ("unused", "i4")])


@final
cdef class PlaneFinder:
    """Looks for planes of up to ``max_terms`` terms, where ``full`` of all numbers too; terms cost ``term_price``."""

    def __init__(self, SearchTree tree, int32_t max_terms, bint full, double term_price):
        self.tree, self.data, self.full, self.term_price = tree, tree.data, full, term_price
        n, p = self.data.n_rows, self.data.n_weighed
        self.screen = ValueScreen(self.data)
        self.n_looked_at = self.data.n_numeric + self.screen.n_kept
        self.max_terms = min(max_terms, self.n_looked_at)
        size = self.n_looked_at + 2
        self.looked_at = np.arange(size, dtype=np.int32)
        self.cells, self.picked = np.zeros((2, 2 * SAMPLE + 2, size))
        self.sample_price, self.counted, self.value = np.zeros((3, 2 * SAMPLE + 2))
        self.sample_row = np.zeros(2 * SAMPLE + 2, dtype=np.int32)
        self.moments, self.swept = np.zeros((2, size, size))
        self.system = np.zeros((size, size + 1))
        self.mean, self.slope, self.swept_slope, self.solution, self.weights = np.zeros((5, size))
        self.pulled = np.zeros(size)
        self.found_weights = np.zeros(size)
        self.chosen, self.found_features = np.zeros((2, size), dtype=np.int32)
        self.projected = np.zeros(n + 1, dtype=PROJECTED)
        self.order = NumberSort(n)
        self.keys = np.zeros(n + 1)
        if max_terms > 0 or full:
            self.scaled = np.array(self.data.weighed)
            with np.errstate(over="ignore", invalid="ignore"):
                scaled = np.asarray(self.scaled)
                scaled -= np.asarray(self.data.middle)[:, None]
                scaled /= np.asarray(self.data.spread)[:, None]
        else:
            self.scaled = np.zeros((p, 0))

    cdef int find(
        self, int32_t low, int32_t high, const double[::1] price, int32_t first, double limit,
    ) except -1 nogil:
        """The best plane found for rows[low:high] that costs less than the limit; ``first`` is a feature to begin with.

        Sparse planes are selected twice, from the feature that discriminates best and from ``first`` (-1: none), and
        tried with every smaller number of terms down to two.
        """
        cdef int32_t start, n, i, j, leader = -1
        cdef double least = 0.0
        self.cost, self.n_terms = limit, 0
        for i in range(low, high):
            least += min(price[i], 0.0)
        least -= 1e-9 * fabs(least)  # sums of the same prices in another order may be a little less
        if not least + self.term_price < limit:  # were every row where it should be, a second term would cost more
            return 0
        if self.data.n_weighed < 2 or not self.take_sample(low, high, price):
            return 0
        self.form_moments()
        if self.full:
            n = 0
            for j in range(self.data.n_numeric):
                if self.moments[j, j] > 0.0:
                    self.chosen[n] = j
                    n += 1
            if n >= 2:
                self.start_weights(n)
                self.fit_weights(n)
                self.cut_rows(low, high, price, n)
            if self.data.n_weighed == self.data.n_numeric:
                return 0
        for start in range(2):
            if start == 1 and (first < 0 or first == leader):  # a number stands at its own place
                break
            n = self.select(self.max_terms, first if start == 1 else -1)
            if start == 0 and n > 0:
                leader = self.chosen[0]
            while n >= 2:
                if least + self.price_of(n) < self.cost:
                    self.start_weights(n)
                    self.fit_weights(n)
                    self.cut_rows(low, high, price, n)
                n -= 1
        return 0

    cdef bint take_sample(self, int32_t low, int32_t high, const double[::1] price) except -1 nogil:
        """Standardised cells of rows with a price, a missing one at the mean; whether both signs occur."""
        cdef int32_t i, j, row, n = 0, step = max(1, (high - low) // SAMPLE)
        cdef double size, cell, balance = 0.0
        self.total = 0.0
        i = low - step
        while i + step < high:
            i += step
            size = fabs(price[i])
            if size <= 0.0:
                continue
            self.sample_row[n], self.sample_price[n] = self.tree.rows[i], price[i]
            self.total += size
            balance += price[i]
            n += 1
        self.n_sample = n
        if n < 4 or fabs(balance) > self.total * (1.0 - 1e-9):
            return False
        self.screen.keep_best(self.sample_row, self.sample_price, n, self.total, balance / self.total)
        for j in range(self.screen.n_kept):
            self.looked_at[self.data.n_numeric + j] = self.data.n_numeric + self.screen.kept[j]
        for j in range(self.n_looked_at):
            self.mean[j] = 0.0
        for i in range(n):
            row, size = self.sample_row[i], fabs(self.sample_price[i])
            for j in range(self.n_looked_at):
                cell = self.scaled[self.looked_at[j], row]
                if not isfinite(cell):
                    cell = 0.0
                self.cells[i, j] = cell
                self.mean[j] += size * cell
        for j in range(self.n_looked_at):
            self.mean[j] /= self.total
        self.balance = balance / self.total
        return True

    cdef double price_of(self, int32_t n_terms) noexcept nogil:
        """What a plane costs beside its errors."""
        return self.term_price * (1 if self.full else n_terms - 1)

    cdef int form_moments(self) except -1 nogil:
        """The scatter matrix of the sample, and its covariances with the sign, both by weight."""
        cdef int32_t i, j, k, p = self.n_looked_at
        cdef double sign
        for j in range(p):
            self.slope[j] = 0.0
            for k in range(p):
                self.moments[j, k] = 0.0
        for i in range(self.n_sample):
            sign = (1.0 if self.sample_price[i] > 0.0 else -1.0) - self.balance
            self.counted[i] = fabs(self.sample_price[i])
            for j in range(p):
                self.picked[i, j] = self.cells[i, j] - self.mean[j]
            for j in range(p):
                self.slope[j] += fabs(self.sample_price[i]) * self.picked[i, j] * sign
        self.add_all_squares(self.moments, p)
        for j in range(p):
            for k in range(j):
                self.moments[k, j] = self.moments[j, k]
            if self.moments[j, j] <= 1e-9 * self.total:  # constant here: it takes no part
                self.moments[j, j] = self.slope[j] = 0.0
            else:
                self.moments[j, j] += 1e-4 * self.total
        return 0

    cdef int32_t select(self, int32_t n_terms, int32_t first) except -1 nogil:
        """Choose features one by one, each the one that explains most of what is left; how many there are."""
        cdef int32_t p = self.n_looked_at, i, j, step, best
        cdef double score, most, factor
        for i in range(p):
            self.swept_slope[i] = self.slope[i]
            for j in range(p):
                self.swept[i, j] = self.moments[i, j]
        for step in range(n_terms):
            best, most = -1, 0.0
            for j in range(p):
                # a feature of which others explain nearly all would make the equations unsolvable
                if self.moments[j, j] > 0.0 and self.swept[j, j] > 1e-3 * self.moments[j, j]:
                    score = self.swept_slope[j] * self.swept_slope[j] / self.swept[j, j]
                    if step == 0 and j == first:
                        score = INFINITY
                    if score > most:
                        best, most = j, score
            if best < 0:
                return step
            self.chosen[step] = best
            for i in range(p):
                if i != best and self.swept[i, i] > 0.0:
                    factor = self.swept[i, best] / self.swept[best, best]
                    self.swept_slope[i] -= factor * self.swept_slope[best]
                    for j in range(p):
                        if j != best:
                            self.swept[i, j] -= factor * self.swept[best, j]
            self.swept[best, best] = 0.0
        return n_terms

    cdef int start_weights(self, int32_t n) except -1 nogil:
        """Begin with the linear discriminant of the chosen features."""
        cdef int32_t i, j
        for i in range(n):
            for j in range(i + 1):
                self.system[i, j] = self.moments[self.chosen[i], self.chosen[j]]
            self.system[i, i] += RIDGE * self.total
            self.system[i, n] = self.slope[self.chosen[i]]
        if not self.solve(n):
            for i in range(n):
                self.solution[i] = 0.0
        for i in range(n):
            self.weights[i] = 2.0 * self.solution[i]
        self.weights[n] = 0.0  # the constant
        return 0

    cdef int fit_weights(self, int32_t n) except -1 nogil:
        """Logistic regression by Newton's method; the constant stands behind the weights."""
        cdef int32_t i, j, _step
        cdef double size, chance, curve, pull, widest, change
        self.pick_cells(n)
        for _step in range(NEWTON_STEPS):
            for j in range(n + 1):
                self.pulled[j] = 0.0
                for i in range(j + 1):
                    self.system[j, i] = 0.0
            self.add_terms(n)
            for i in range(self.n_sample):
                size = fabs(self.sample_price[i])
                chance = 1.0 / (1.0 + exp(-max(-30.0, min(30.0, self.value[i]))))
                curve = size * chance * (1.0 - chance)
                pull = size * ((1.0 if self.sample_price[i] > 0.0 else 0.0) - chance)
                self.counted[i], self.value[i] = curve, pull
            add_rows(
                &self.pulled[0], &self.picked[0, 0], self.picked.shape[1], &self.value[0], self.n_sample, n + 1
            )
            self.add_all_squares(self.system, n + 1)
            for j in range(n):
                self.system[j, j] += RIDGE * self.total + 1e-9
                self.system[j, n + 1] = self.pulled[j] - RIDGE * self.total * self.weights[j]
            self.system[n, n] += 1e-9
            self.system[n, n + 1] = self.pulled[n]
            if not self.solve(n + 1):
                return 0
            widest = 0.0
            for j in range(n + 1):
                change = max(-WIDEST_STEP, min(WIDEST_STEP, self.solution[j]))
                self.weights[j] += change
                widest = max(widest, fabs(change))
            if widest < 1e-3:
                return 0
        return 0

    cdef int add_all_squares(self, double[:, ::1] sums, int32_t n) except -1 nogil:
        """Add the squares and products of all rows' picked cells, as they count, to the lower triangle of sums."""
        add_squares(
            &sums[0, 0], sums.shape[1], &self.picked[0, 0], self.picked.shape[1], &self.counted[0], self.n_sample, n
        )
        return 0

    cdef int pick_cells(self, int32_t n) except -1 nogil:
        """Lay the cells of the chosen features side by side, and a 1 behind them."""
        cdef int32_t i, j
        for i in range(self.n_sample):
            for j in range(n):
                self.picked[i, j] = self.cells[i, self.chosen[j]]
            self.picked[i, n] = 1.0
        return 0

    cdef int add_terms(self, int32_t n) except -1 nogil:
        """Each row's constant and terms, from the first to the last; four rows side by side, so that none waits."""
        cdef int32_t i = 0, j
        cdef double a, b, c, d, weight
        while i + 4 <= self.n_sample:
            a = b = c = d = self.weights[n]
            for j in range(n):
                weight = self.weights[j]
                a += weight * self.picked[i, j]
                b += weight * self.picked[i + 1, j]
                c += weight * self.picked[i + 2, j]
                d += weight * self.picked[i + 3, j]
            self.value[i], self.value[i + 1], self.value[i + 2], self.value[i + 3] = a, b, c, d
            i += 4
        while i < self.n_sample:
            a = self.weights[n]
            for j in range(n):
                a += self.weights[j] * self.picked[i, j]
            self.value[i] = a
            i += 1
        return 0

    cdef bint solve(self, int32_t n) except -1 nogil:
        """Cholesky: the symmetric system's lower triangle, its right side in column n; False if it is singular."""
        cdef int32_t i, j, k
        cdef double total
        for i in range(n):
            for j in range(i + 1):
                total = self.system[i, j]
                for k in range(j):
                    total -= self.system[i, k] * self.system[j, k]
                if i > j:
                    self.system[i, j] = total / self.system[j, j]
                elif total > 1e-12:
                    self.system[i, i] = sqrt(total)
                else:
                    return False
        for i in range(n):
            total = self.system[i, n]
            for k in range(i):
                total -= self.system[i, k] * self.solution[k]
            self.solution[i] = total / self.system[i, i]
        for i in range(n - 1, -1, -1):
            total = self.solution[i]
            for k in range(i + 1, n):
                total -= self.system[k, i] * self.solution[k]
            self.solution[i] = total / self.system[i, i]
        return True

    cdef int cut_rows(self, int32_t low, int32_t high, const double[::1] price, int32_t n_terms) except -1 nogil:
        """The cheapest cut along the direction, over all rows; kept if it costs less than what was found before."""
        cdef int32_t i, j, row, way, n = 0, n_real = 0, real_missing = 0, real_low = 0, real_left
        cdef double key, weight, known = 0.0, missing = 0.0, below = 0.0, cost, gap, best = INFINITY, cut = 0.0
        cdef bint swapped = False
        for i in range(low, high):
            self.keys[i] = 0.0
        for j in range(n_terms):
            weight = self.weights[j]
            for i in range(low, high):
                self.keys[i] += weight * self.scaled[self.looked_at[self.chosen[j]], self.tree.rows[i]]
        for i in range(low, high):
            row, key = self.tree.rows[i], self.keys[i]
            n_real += row < self.data.n_real
            if isnan(key):
                missing += price[i]
                real_missing += row < self.data.n_real
                continue
            self.order.give(n, key)
            self.projected[n].key, self.projected[n].price = key, price[i]
            self.projected[n].real = row < self.data.n_real
            known += price[i]
            n += 1
        self.order.sort(n)
        for i in range(n - 1):
            low, high = self.order.place[i], self.order.place[i + 1]
            below += self.projected[low].price
            real_low += self.projected[low].real
            gap = self.projected[high].key - self.projected[low].key
            if not gap > NO_GAP or not isfinite(gap):
                continue
            for way in range(2):  # low keys to the left, or to the right
                cost = (below if way == 0 else known - below) + min(missing, 0.0)
                real_left = real_low if way == 0 else n_real - real_missing - real_low
                real_left += real_missing if missing < 0.0 else 0
                if cost < best and 0 < real_left < n_real:
                    best, swapped = cost, way == 1
                    cut = self.projected[low].key / 2 + self.projected[high].key / 2
        best += self.price_of(n_terms)
        if best < self.cost - 1e-12:
            self.cost, self.n_terms, self.cut, self.swapped = best, n_terms, cut, swapped
            self.missing_low = (missing < 0.0) != swapped
            for j in range(n_terms):
                self.found_features[j], self.found_weights[j] = self.looked_at[self.chosen[j]], self.weights[j]
        return 0

    cdef int write(self, int32_t node) except -1 nogil:
        """Put the plane into the node, in the cells' own units; the caller swaps the children if need be."""
        cdef int32_t j, feature
        cdef double cut = self.cut
        self.tree.n_terms[node] = self.n_terms
        for j in range(self.n_terms):
            feature = self.found_features[j]
            self.tree.term_feature[node, j] = feature
            self.tree.term_weight[node, j] = self.found_weights[j] / self.data.spread[feature]
            cut += self.found_weights[j] * self.data.middle[feature] / self.data.spread[feature]
        self.tree.threshold[node] = cut
        self.tree.missing_left[node] = self.missing_low
        return 0
