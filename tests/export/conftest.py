"""Live databases for the tests of SQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from engines import DuckEngine, Engine, PostgresEngine, SQLiteEngine
from servers import postgres_uri

__all__ = ["postgres_uri"]


@pytest.fixture(scope="session", params=["duckdb", "sqlite", "postgres"])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """Each database in turn."""
    opened: Engine
    if request.param == "duckdb":
        opened = DuckEngine()
    elif request.param == "sqlite":
        opened = SQLiteEngine()
    else:
        opened = PostgresEngine(request.getfixturevalue("postgres_uri"))
    yield opened
    opened.connection.close()
