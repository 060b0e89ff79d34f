"""ISO dates in SQL are those of clearwood.moments, and what is none there is none here."""

import duckdb
import pytest

from clearwood.moments import parse_moments
from clearwood.scan.engines.iso_dates import iso_moment

DAYS = [
    "1970-01-01",
    "0001-01-01",
    "9999-12-31",
    "2020-02-29",
    "2021-02-29",
    "0000-01-01",
    "2020-1-1",
    "20200101",
    "soon",
]
TIMES = [
    "",
    " 10:00",
    "T23:59:59",
    " 24:00:00",
    " 10:60",
    " 10:00:60",
    " 10:00:00.5",
    "T10:00:00.123456789",
    " 10",
    "x",
]
ODD = [" +01", "+01:75"]
ZONES = ["", "Z", " UTC", "+01", "-0130", "+05:30", "+25:00", *ODD]


@pytest.mark.parametrize("zone", ZONES)
def test_moments(zone):
    texts = [day + time + zone for day in DAYS for time in TIMES]
    with duckdb.connect() as db:
        db.execute("SET TimeZone = 'Asia/Tokyo'")
        db.execute("CREATE TABLE texts AS SELECT unnest($texts) AS v", {"texts": texts})
        found = dict(db.execute(f"SELECT v, {iso_moment('v')} FROM texts").fetchall())
    wanted = {text: (parse_moments([text]) or [None])[0] for text in texts}
    assert all(found[text] in (None, wanted[text]) for text in texts)
    assert zone in ODD or found == wanted
