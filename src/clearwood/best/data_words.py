"""Data words: what was seen in a table, in a few lines."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from clearwood.best.amounts import share_text
from clearwood.read.notes import name_some
from clearwood.wording import percent, plural, visible

if TYPE_CHECKING:
    from clearwood.best.answer import Answer

__all__ = ["data_words"]

MOST_CLASSES = 12


def data_words(answer: Answer) -> Iterator[str]:
    seen, table = answer.look, answer.table
    target = visible(table.target.name) if table.target else "class"
    shares = [f"{visible(c)} {percent(s)}" for c, s in zip(seen.classes, seen.shares, strict=True)]
    more = f" and {len(shares) - MOST_CLASSES} more" if len(shares) > MOST_CLASSES else ""
    name = f"{visible(table.name)}: " if table.name else ""
    gaps = "no cell missing" if not seen.missing else f"{share_text(seen.missing)} of the cells missing"
    yield (
        f"{name}{seen.n_rows:,} rows; {target}: {plural(len(shares), 'class', 'classes')} "
        f"({', '.join(shares[:MOST_CLASSES])}{more}); columns: {seen.kinds}; {gaps}."
    )
    if seen.n_lost:
        lost = "1 row has no class and is" if seen.n_lost == 1 else f"{seen.n_lost:,} rows have no class and are"
        yield f"{lost} left out."
    if seen.identifiers:
        yield f"Left out: {_named(seen.identifiers)}."
    for names, one, several in (
        (seen.empty, "is missing in every row", "are missing in every row"),
        (seen.constant, "holds one value", "hold one value each"),
    ):
        if names:
            yield f"Left out: {name_some(names)} {one if len(names) == 1 else several}."
    if seen.duplicates:
        pairs = [f"{twin!r} (as {first!r})" for twin, first in seen.duplicates[:8]]
        rest = f" and {len(seen.duplicates) - 8} more" if len(seen.duplicates) > 8 else ""
        yield f"Left out: the same cells as another column: {', '.join(pairs)}{rest}."
    copies = [leak.name for leak in seen.leaks if leak.is_copy]
    if copies:
        verb = "is" if len(copies) == 1 else "are"
        yield f"{_careful(seen.leaks_dropped)}: {name_some(copies)} {verb} {target} under another name{_remedy(answer)}"
    for leak in [leak for leak in seen.leaks if not leak.is_copy][:5]:
        yield (
            f"{_careful(seen.leaks_dropped)}: {leak.name!r} alone tells {share_text(leak.accuracy)} of the rows' "
            f"classes; is it known before {target} is?{_remedy(answer)}"
        )
    for gap in seen.gaps[:3]:
        yield (
            f"Careful: whether {gap.name!r} is missing tells {share_text(gap.accuracy)} of the rows' classes (always "
            f"saying one: {share_text(gap.common)}); will its cells be missing for the same reason where the tree is "
            "used?"
        )
    if answer.table.n_features > answer.table.n_rows and answer.work is not None:
        yield (
            f"There are more columns ({table.n_features}) than rows ({table.n_rows}): by chance some columns fit any "
            "classes, so only the error on unseen rows counts."
        )


def _named(names: Sequence[str]) -> str:
    one = len(names) == 1
    what, them = ("names the rows (an identifier)", "it") if one else ("name the rows (identifiers)", "them")
    options = " ".join(f"--keep {shlex.quote(name)}" for name in names[:8])
    return f"{name_some(names)} {what}; keep={list(names[:8])!r} ({options}) keeps {them}"


def _careful(dropped: bool) -> str:
    return "Left out" if dropped else "Careful"


def _remedy(answer: Answer) -> str:
    return "." if answer.look.leaks_dropped else " (drop_leaks=True, --drop-leaks leaves it out)."
