"""Make the kernels' TrainingSet from a Table."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clearwood.kernels.columns.order import filter_members
from clearwood.kernels.columns.ranks import mark_present, separable_from
from clearwood.kernels.common.codes import ColumnForm
from clearwood.kernels.greedy import training_set as kernel
from clearwood.table import Ranks, Table
from clearwood.threads import each, row_blocks

__all__ = ["ColumnForms", "column_forms", "training_set"]

WORTH_SHARING = 10_000  # rows: columns of fewer are looked through before another thread has begun
MOST_CLASSES = 65_535  # class codes are 16 bits wide in the kernels


class ColumnForms(NamedTuple):
    """How the kernels count each column of a table: the same for all samples of its rows.

    Attributes
    ----------
    ranked : Ranks
        Numeric columns with few distinct values.
    form, place, n_values, separable, slot : arrays
        By column, as in the kernels' TrainingSet.
    sorted_slots : list of int
        The numeric columns that are swept in sorted order.
    order : array
        Their sort orders.
    nominal, y : arrays
        Nominal cells and classes, as the kernels take them.
    """

    ranked: Ranks
    form: np.ndarray
    place: np.ndarray
    n_values: np.ndarray
    separable: np.ndarray
    slot: np.ndarray
    sorted_slots: list[int]
    order: np.ndarray
    nominal: np.ndarray
    y: np.ndarray


def column_forms(
    table: Table, *, min_gap: float = 0.0, n_jobs: int | None = None, ranks: Ranks | None = None
) -> ColumnForms:
    """How the columns of a table are counted; the parameters are those of :func:`training_set`."""
    if len(table.classes) > MOST_CLASSES:
        raise ValueError(f"the target declares {len(table.classes)} classes; at most {MOST_CLASSES} are supported.")
    table.presort(n_jobs)
    ranked = table.ranks if ranks is None else ranks
    n_features = table.n_features
    form = np.empty(n_features, dtype=np.int32)
    place = np.zeros(n_features, dtype=np.int32)
    n_values = np.empty(n_features, dtype=np.int32)
    separable = np.ones(n_features, dtype=np.int32)
    apart = _separable(table, ranked, min_gap, n_jobs)
    sorted_slots: list[int] = []
    for i, column in enumerate(table.columns):
        slot = table.slots[i]
        if column.is_nominal:
            form[i], n_values[i] = ColumnForm.NOMINAL, column.n_values
            continue
        n_values[i] = ranked.n_bins[slot]
        separable[i] = apart[slot]
        if ranked.n_bins[slot]:
            form[i], place[i] = ColumnForm.BINNED, ranked.bin_row[slot]
        else:
            form[i], place[i] = ColumnForm.SORTED, len(sorted_slots)
            sorted_slots.append(slot)
    order = table.sort_order if len(sorted_slots) == len(table.numeric) else table.sort_order[sorted_slots]
    return ColumnForms(
        ranked,
        form,
        place,
        n_values,
        separable,
        np.ascontiguousarray(table.slots),
        sorted_slots,
        np.ascontiguousarray(order),
        np.ascontiguousarray(table.nominal),
        np.where(table.y < 0, 0, table.y).astype(np.uint16),
    )


def _separable(table: Table, ranked: Ranks, min_gap: float, n_jobs: int | None) -> np.ndarray:
    """For each numeric column how far apart ranks must be; threads share the columns of many rows."""

    def of_columns(slots: np.ndarray) -> np.ndarray:
        part = slice(int(slots[0]), int(slots[-1]) + 1)
        found: np.ndarray = separable_from(table.numeric[part], table.sort_order[part], ranked.known[part], min_gap)
        return found

    if not len(table.numeric):
        return np.ones(0, dtype=np.int32)
    shared = n_jobs if table.n_rows >= WORTH_SHARING else 1
    return np.concatenate(each(of_columns, row_blocks(len(table.numeric), shared, each_thread=4), shared))


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
    forms: ColumnForms | None = None,
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
    forms : ColumnForms or None
        What :func:`column_forms` says of the table, or of one with other weights; worked out when None.
    """
    if forms is None:
        forms = column_forms(table, min_gap=min_gap, n_jobs=n_jobs, ranks=ranks)
    ranked, sorted_slots = forms.ranked, forms.sorted_slots
    everything = rows is None
    if rows is None:
        members = np.arange(table.n_rows, dtype=np.int32)
    else:  # a stable sort sees at once that rows are in order, as those of a sample are
        members = np.sort(np.asarray(rows, dtype=np.int32), kind="stable")
    learn = members if everything and (table.y >= 0).all() else members[table.y[members] >= 0]
    learned = slice(None) if everything and len(learn) == table.n_rows else learn  # whole columns are not copied
    missing = np.zeros(table.n_features, dtype=np.uint8)
    for i, column in enumerate(table.columns):
        slot = table.slots[i]
        if column.is_nominal:
            missing[i] = table.nominal[slot][learned].min(initial=0) < 0
        else:
            missing[i] = ranked.known[slot] < table.n_rows and bool(np.isnan(table.numeric[slot][learned]).any())
    bin_present = np.zeros(ranked.values.shape, dtype=np.uint8)
    mark_present(ranked.bins, members, bin_present)
    order, known_cells = forms.order, ranked.known[sorted_slots].astype(np.int32)
    if not everything and sorted_slots:
        member = np.zeros(table.n_rows, dtype=np.uint8)
        member[members] = 1
        kept = np.empty((len(sorted_slots), len(members)), dtype=np.int32)
        filter_members(order, member, kept)
        order = kept
        known_cells = np.array(
            [np.count_nonzero(~np.isnan(table.numeric[s][members])) for s in sorted_slots], dtype=np.int32
        )
    weights = table.weights
    total = float(weights[learned].sum())
    whole = None
    if total < kernel.LARGEST_LOOKUP and (weights == np.floor(weights)).all():
        whole = weights.astype(np.int32)
    return kernel.TrainingSet(
        numeric=table.numeric,
        nominal=forms.nominal,
        bins=ranked.bins,
        bin_values=ranked.values,
        bin_present=bin_present,
        order=order,
        order_length=known_cells,
        y=forms.y,
        weights=weights,
        whole_weights=whole,
        rows=learn,
        form=forms.form,
        slot=forms.slot,
        place=forms.place,
        n_values=forms.n_values,
        separable=forms.separable,
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
