"""Make the kernels' TrainingSet from a Table."""

from __future__ import annotations

import numpy as np

from clearwood.kernels.columns.order import filter_members
from clearwood.kernels.columns.ranks import separable_from
from clearwood.kernels.common.codes import ColumnForm
from clearwood.kernels.greedy import training_set as kernel
from clearwood.table import Ranks, Table

MOST_CLASSES = 65_535  # class codes are 16 bits wide in the kernels


def training_set(
    table: Table,
    rows: np.ndarray | None = None,
    *,
    min_gap: float = 0.0,
    n_jobs: int | None = None,
    ranks: Ranks | None = None,
    copies: bool = False,
    n_counted: int | None = None,
    lightest: float | None = None,
) -> kernel.TrainingSet:
    """The rows of a table that a learner may use, in the kernels' form.

    Parameters
    ----------
    table : Table
        The table with its target.
    rows : array of int or None
        The rows that form the training table (a fold, say); all of them when None. Those without a class are
        counted as C4.5 counts them, but not learned from.
    min_gap : float
        Neighbouring values must lie further apart than this to be separated.
    n_jobs : int or None
        Threads that sort the columns, if they are not sorted yet.
    ranks : Ranks or None
        Which columns are counted by value; those of the table when None.
    copies : bool
        Whether a row's weight, a whole number, says how often it is there: C4.5 counts rows in two places.
    n_counted, lightest : numbers or None
        The number of rows, and the weight of the lightest, of a larger table of which these rows are a part.
    """
    if len(table.classes) > MOST_CLASSES:
        raise ValueError(f"the target declares {len(table.classes)} classes; at most {MOST_CLASSES} are supported.")
    table.presort(n_jobs)
    ranked = table.ranks if ranks is None else ranks
    everything = rows is None
    members = np.arange(table.n_rows, dtype=np.int32) if rows is None else np.sort(np.asarray(rows, dtype=np.int32))
    learn = members[table.y[members] >= 0]
    n_features = table.n_features
    form = np.empty(n_features, dtype=np.int32)
    place = np.zeros(n_features, dtype=np.int32)
    n_values = np.empty(n_features, dtype=np.int32)
    separable = np.ones(n_features, dtype=np.int32)
    apart = separable_from(table.numeric, table.sort_order, ranked.known, min_gap)
    missing = np.zeros(n_features, dtype=np.uint8)
    sorted_slots: list[int] = []
    bin_present = np.zeros(ranked.values.shape, dtype=np.uint8)
    for i, column in enumerate(table.columns):
        slot = table.slots[i]
        if column.is_nominal:
            form[i], n_values[i] = ColumnForm.NOMINAL, column.n_values
            missing[i] = table.nominal[slot][learn].min(initial=0) < 0
            continue
        missing[i] = ranked.known[slot] < table.n_rows and bool(np.isnan(table.numeric[slot][learn]).any())
        n_values[i] = ranked.n_bins[slot]
        separable[i] = apart[slot]
        if ranked.n_bins[slot]:
            form[i], place[i] = ColumnForm.BINNED, ranked.bin_row[slot]
            codes = ranked.bins[place[i]] if everything else ranked.bins[place[i]][members]
            bin_present[place[i], codes[codes >= 0]] = 1
        else:
            form[i], place[i] = ColumnForm.SORTED, len(sorted_slots)
            sorted_slots.append(slot)
    order = table.sort_order if len(sorted_slots) == len(table.numeric) else table.sort_order[sorted_slots]
    known_cells = ranked.known[sorted_slots].astype(np.int32)
    if not everything and sorted_slots:
        member = np.zeros(table.n_rows, dtype=np.uint8)
        member[members] = 1
        kept = np.empty((len(sorted_slots), len(members)), dtype=np.int32)
        filter_members(np.ascontiguousarray(order), member, kept)
        order = kept
        known_cells = np.array(
            [np.count_nonzero(~np.isnan(table.numeric[s][members])) for s in sorted_slots], dtype=np.int32
        )
    weights = table.weights
    total = float(weights[learn].sum())
    whole = None
    if total < kernel.LARGEST_LOOKUP and (weights == np.floor(weights)).all():
        whole = weights.astype(np.int32)
    return kernel.TrainingSet(
        numeric=table.numeric,
        nominal=np.ascontiguousarray(table.nominal),
        bins=ranked.bins,
        bin_values=ranked.values,
        bin_present=bin_present,
        order=np.ascontiguousarray(order),
        order_length=known_cells,
        y=np.where(table.y < 0, 0, table.y).astype(np.uint16),
        weights=weights,
        whole_weights=whole,
        rows=learn,
        form=form,
        slot=np.ascontiguousarray(table.slots),
        place=place,
        n_values=n_values,
        separable=separable,
        missing=missing,
        log_table=kernel.log_table(int(total) + 1 if whole is not None else 0),
        log2_table=kernel.log2_table(min(len(learn), 1024)),
        n_classes=len(table.classes),
        n_counted=_rows_counted(weights[members], copies) if n_counted is None else n_counted,
        copies=copies,
        lightest=lightest,
    )


def _rows_counted(weights: np.ndarray, copies: bool) -> int:
    return int(weights.sum()) if copies else len(weights)
