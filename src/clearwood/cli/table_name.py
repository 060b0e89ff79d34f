"""A table's name as it is typed: names with points between them, in double quotes where a point belongs to one."""

from __future__ import annotations

import re

__all__ = ["split_table"]

_PART = re.compile(r'(?:"((?:[^"]|"")+)"|([^".]+))(?:\.(?=.)|$)')


def split_table(text: str) -> tuple[tuple[str, ...], str]:
    """The names around a table, a database and a schema or fewer, and its own name.

    >>> split_table("trips"), split_table("public.trips"), split_table('old."trips.2024"')
    (((), 'trips'), (('public',), 'trips'), (('old',), 'trips.2024'))
    """
    parts, place = [], 0
    while place < len(text):
        found = _PART.match(text, place)
        if found is None:
            break
        parts.append(found[1].replace('""', '"') if found[1] else found[2])
        place = found.end()
    if place < len(text) or not parts:
        raise ValueError(
            f"--table must be a name such as trips or public.trips, got {text!r}; put a name that holds a point or a "
            "quote in double quotes, as in 'public.\"trips.2024\"'."
        )
    return tuple(parts[:-1]), parts[-1]
