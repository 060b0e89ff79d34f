"""Numbers and texts as literals mean exactly themselves."""

from __future__ import annotations

import math

from hypothesis import example, given, settings
from hypothesis import strategies as st

from clearwood.export.sql_dialects import DIALECTS, find_dialect

finite = st.floats(allow_nan=False, allow_infinity=False)
texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))


@settings(max_examples=200)
@given(finite | st.floats(-1000, 1000) | st.integers(-(10**6), 10**6).map(lambda i: i / 1000))
@example(5e-324)
@example(-1.7976931348623157e308)
@example(2.0**70)
@example(1e22)
@example(1e23)
@example(-0.0)
@example(0.30000000000000004)
def test_a_number_is_read_back_bit_for_bit(engine, value):
    dialect = DIALECTS[engine.dialect]
    ((found,),) = engine.ask(f"SELECT CAST({dialect.number(value)} AS {dialect.number_type}) AS found")[1]
    assert found == value
    ((found,),) = engine.ask(f"SELECT {dialect.double(value)} AS found")[1]
    assert isinstance(found, float) and math.isclose(found, value, rel_tol=1e-15, abs_tol=1e-320)


@settings(max_examples=100)
@given(texts)
@example("back\\slash \\' '' \\n")
def test_a_text_is_read_back_as_it_is(engine, value):
    dialect = DIALECTS[engine.dialect]
    assert engine.ask(f"SELECT CAST({dialect.text(value)} AS {dialect.text_type}) AS found")[1] == [(value,)]


def test_a_backslash_means_itself_under_the_old_setting_too(postgres_uri):
    from engines import PostgresEngine

    engine = PostgresEngine(postgres_uri)
    with engine.connection.cursor() as cursor:
        cursor.execute("SET standard_conforming_strings = off")
    assert engine.ask(f"SELECT {find_dialect('postgres').text(chr(92) + 'n')} AS found")[1] == [("\\n",)]
    engine.connection.close()


def test_dialects_are_found_by_their_other_names():
    assert find_dialect("PostgreSQL") is DIALECTS["postgres"] and find_dialect("sqlite3") is DIALECTS["sqlite"]
