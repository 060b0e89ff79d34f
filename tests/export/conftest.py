"""Live databases for the tests of SQL."""

from __future__ import annotations

import pytest
from engines import DuckEngine, Engine, PostgresEngine, SQLiteEngine
from servers import postgres_uri

__all__ = ["postgres_uri"]


@pytest.fixture(scope="session", params=["duckdb", "sqlite", "postgres"])
def engine(request: pytest.FixtureRequest) -> Engine:
    """Each database in turn."""
    if request.param == "duckdb":
        return DuckEngine()
    if request.param == "sqlite":
        return SQLiteEngine()
    return PostgresEngine(request.getfixturevalue("postgres_uri"))
