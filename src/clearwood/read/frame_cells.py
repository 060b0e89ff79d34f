"""One column of a frame turned into numbers or codes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import numpy as np

from clearwood.booleans import BOOLEANS, boolean_text
from clearwood.moments import milliseconds
from clearwood.read.assemble import Filled, to_ordered
from clearwood.read.notes import name_some, warn
from clearwood.read.numerals import number_text
from clearwood.read.values import fill_texts
from clearwood.read.wanted import as_declared, declared_by, is_marker
from clearwood.read.whole_numbers import fill_integers, fill_whole, is_large
from clearwood.table import Column

__all__ = ["fill_column", "fill_objects"]


def fill_column(
    name: str,
    series: Any,
    missing: Collection[str] = (),
    *,
    nominal: bool = False,
    quiet: bool = False,
    dates: str | None = None,
    wanted: Column | None = None,
    as_values: bool = False,
) -> Filled:
    """The cells of a narwhals series.

    ``missing`` are texts that mean missing; ``nominal``, ``quiet`` and ``dates`` are those of
    :func:`clearwood.read.values.fill_texts`. ``wanted`` is the column that the cells are for, where that is known: its
    values are never missing, and text stays text if it has any. ``as_values`` says that whole numbers are values, not
    to be rounded.
    """
    about: dict[str, Any] = {"nominal": nominal, "quiet": quiet, "dates": dates, "wanted": wanted}
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    if dtype == nw.Boolean:
        return Column(name, BOOLEANS), _codes_of_floats(series.cast(nw.Float64).to_numpy())
    if dtype.is_integer():
        return fill_integers(name, series, values=as_values, quiet=quiet)
    if dtype.is_numeric():
        return Column(name), np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
    if dtype in (nw.Datetime, nw.Date):
        return Column(name, is_date=True), _timestamps(series.to_numpy())
    if dtype == nw.Duration:
        return Column(name), _timestamps(series.to_numpy().astype("timedelta64[us]"))
    if dtype in (nw.Categorical, nw.Enum):
        return _declared(name, series, missing, wanted)
    if dtype == nw.String:
        return _texts(name, series.to_list(), missing, **about)
    if dtype in (nw.Object, nw.Time):
        null = np.asarray(series.is_null().to_list(), dtype=bool)
        cells = [None if gone else cell for gone, cell in zip(null, series.to_list(), strict=True)]
        return fill_objects(name, cells, missing, as_values=as_values, **about)
    if bool(np.all(series.is_null().to_list())):
        return Column(name), np.full(len(series), np.nan)
    native = series.to_native()
    if hasattr(native, "sparse"):  # pandas keeps most of such a column as one fill value
        dense = nw.from_native(native.sparse.to_dense(), series_only=True)
        return fill_column(name, dense, missing, as_values=as_values, **about)
    shown = native.dtype if hasattr(native, "dtype") else dtype
    raise ValueError(f"column {name!r} is of type {shown}, which a tree cannot test; convert it, or leave it out.")


def _timestamps(array: np.ndarray) -> np.ndarray:
    gone = np.isnat(array)
    kind = "datetime64[us]" if array.dtype.kind == "M" else "timedelta64[us]"
    numbers = array.astype(kind).astype(np.int64) / 1000.0
    return np.where(gone, np.nan, numbers)


def _codes_of_floats(array: np.ndarray) -> np.ndarray:
    floats = np.asarray(array, dtype=np.float64)
    return np.where(np.isnan(floats), -1, floats).astype(np.int32)


def _texts(
    name: str, cells: Sequence[str | None], missing: Collection[str], wanted: Column | None = None, **about: Any
) -> Filled:
    texts = [cell for cell in dict.fromkeys(cells) if isinstance(cell, str) and not is_marker(cell, missing, wanted)]
    code = {text: number for number, text in enumerate(texts)}
    codes = np.fromiter((code.get(cell, -1) for cell in cells), np.int32, len(cells))  # type: ignore[arg-type]
    declared = declared_by(wanted)
    if declared is not None:
        texts, about = as_declared(texts, declared), {**about, "nominal": True}
    return fill_texts(name, texts, codes, **about)


def _declared(name: str, series: Any, missing: Collection[str], wanted: Column | None) -> Filled:
    """A category column: its declared categories in order; without declaration (polars) those found, sorted.

    Categories that pandas calls ordered become levels.
    """
    native = series.to_native()
    # not what Arrow says: polars calls every Enum ordered when it becomes Arrow
    ordered = bool(getattr(getattr(native, "dtype", None), "ordered", False))
    if hasattr(native, "cat") and hasattr(native.cat, "codes"):  # pandas and its kin
        categories, codes = list(native.cat.categories), np.asarray(native.cat.codes.to_numpy(), dtype=np.int32)
    elif hasattr(native, "unify_dictionaries") or hasattr(native, "dictionary"):  # Arrow
        array = native.unify_dictionaries().combine_chunks() if hasattr(native, "unify_dictionaries") else native
        categories = array.dictionary.to_pylist()
        codes = array.indices.cast("int32").fill_null(-1).to_numpy(zero_copy_only=False)
    else:
        declared = getattr(series.dtype, "categories", None)
        if declared is None:
            return _texts(name, series.to_list(), missing, wanted, nominal=True)
        categories = list(declared)
        code = {value: number for number, value in enumerate(categories)}
        codes = np.fromiter((code.get(cell, -1) for cell in series.to_list()), np.int32, len(series))
    texts = [_text(category) for category in categories]
    filled = _renamed(name, texts, codes, [text for text in texts if is_marker(text, missing, wanted)])
    return to_ordered(filled) if ordered else filled


def _renamed(name: str, texts: list[str], codes: np.ndarray, gaps: Collection[str]) -> Filled:
    """Codes over texts of which some mean missing, or the same text is there twice, made codes over distinct values."""
    values = tuple(dict.fromkeys(text for text in texts if text not in gaps))
    code = {value: number for number, value in enumerate(values)}
    translate = np.array([code.get(text, -1) for text in texts] + [-1], dtype=np.int32)
    return Column(name, values), translate[codes]


def _text(cell: object) -> str:
    if isinstance(cell, bool | np.bool_):
        return boolean_text(bool(cell))
    if isinstance(cell, int | np.integer):
        return str(int(cell))  # exact, where double precision would make one of two large ones
    if isinstance(cell, float | np.floating):
        number = float(cell)
        return number_text(number) if np.isfinite(number) else str(number)
    return str(cell)


def fill_objects(
    name: str,
    cells: Sequence[object],
    missing: Collection[str] = (),
    *,
    nominal: bool = False,
    quiet: bool = False,
    dates: str | None = None,
    wanted: Column | None = None,
    as_values: bool = False,
) -> Filled:
    """A column of Python objects: of one kind it is that kind's column, else nominal with a warning.

    Numbers and dates are text too if the ``wanted`` column declares all of them as values, as a mixed one may have.
    """
    keep = [cell is not None and not is_marker(cell, missing, wanted) for cell in cells]
    present = [cell for cell, kept in zip(cells, keep, strict=True) if kept]
    if not present:
        return Column(name), np.full(len(cells), np.nan)
    kinds = {_kind(cell) for cell in present}
    if "other" in kinds:
        odd = next(cell for cell in present if _kind(cell) == "other")
        raise ValueError(
            f"column {name!r} holds objects of type {type(odd).__name__}, which a tree cannot test; "
            f"convert it, or leave it out."
        )
    if kinds == {"text"}:
        texts = [cell if isinstance(cell, str) else None for cell in cells]
        return _texts(name, texts, missing, wanted, nominal=nominal, quiet=quiet, dates=dates)
    if kinds == {"bool"}:
        truths = [int(bool(cell)) if kept else -1 for cell, kept in zip(cells, keep, strict=True)]
        return Column(name, BOOLEANS), np.array(truths, np.int32)
    declared = declared_by(wanted)
    are_values = declared is not None and {_text(cell) for cell in present}.issubset(declared)
    if kinds in ({"number"}, {"date"}, {"time"}) and not are_values:
        if all(isinstance(cell, int | np.integer) for cell in present):
            whole = [int(cell) if isinstance(cell, int | np.integer) else None for cell in cells]
            known = [number for number in whole if number is not None]
            if is_large(min(known), max(known), values=as_values):
                return fill_whole(name, whole, values=as_values, quiet=quiet)
        numbers = [_number(cell) if kept else np.nan for cell, kept in zip(cells, keep, strict=True)]
        return Column(name, is_date=kinds == {"date"}), np.array(numbers, dtype=np.float64)
    if not quiet and len(kinds) > 1:
        shown = list(dict.fromkeys(_text(next(c for c in present if _kind(c) == kind)) for kind in sorted(kinds)))
        warn(f"column {name!r} mixes types (values such as {name_some(shown, 4)}); it is taken as nominal.")
    texts = [_text(cell) if kept else None for cell, kept in zip(cells, keep, strict=True)]
    return _texts(name, texts, (), nominal=True)


def _kind(cell: object) -> str:
    if isinstance(cell, str):
        return "text"
    if isinstance(cell, bool | np.bool_):
        return "bool"
    if isinstance(cell, int | float | Decimal | np.integer | np.floating):
        return "number"
    if isinstance(cell, date):
        return "date"
    return "time" if isinstance(cell, time | timedelta) else "other"


def _number(cell: Any) -> float:
    if isinstance(cell, datetime):
        return milliseconds(cell)
    if isinstance(cell, date):
        return milliseconds(datetime(cell.year, cell.month, cell.day))
    if isinstance(cell, time):
        cell = timedelta(hours=cell.hour, minutes=cell.minute, seconds=cell.second, microseconds=cell.microsecond)
    return cell / timedelta(milliseconds=1) if isinstance(cell, timedelta) else float(cell)
