"""Dates by Java's patterns: against Java itself where there is one, and against Python's own calendar."""

from __future__ import annotations

import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.read.dates import date_parser

CASES = [
    ("yyyy-MM-dd'T'HH:mm:ss", "2001-04-03T12:12:12"),
    ("yyyy-MM-dd", "1969-12-31"),
    ("yyyy-MM-dd HH:mm:ss.SSS", "2024-02-29 23:59:59.007"),
    ("dd/MM/yyyy", "1/2/2003"),
    ("d.M.yyyy H:mm", "31.12.1999 7:05"),
    ("yyyyMMdd", "20240229"),
    ("yyyyMMddHHmmss", "20240229235958"),
    ("dd-MMM-yyyy", "07-Mar-2011"),
    ("d MMMM yyyy", "7 March 2011"),
    ("EEE, dd MMM yyyy", "Mon, 07 Mar 2011"),
    ("hh:mm a dd/MM/yyyy", "12:30 AM 05/06/2007"),
    ("hh:mm a dd/MM/yyyy", "12:30 PM 05/06/2007"),
    ("KK:mm a yyyy", "00:30 PM 2007"),
    ("kk:mm yyyy", "24:10 2007"),
    ("yyyy-DDD", "2024-366"),
    ("yyyy-MM-dd HH:mm:ss Z", "2020-01-01 00:00:00 +0130"),
    ("yyyy-MM-dd'T'HH:mm:ssXXX", "2020-01-01T00:00:00-05:00"),
    ("yyyy-MM-dd'T'HH:mm:ssXXX", "2020-01-01T00:00:00Z"),
    ("yyyy-MM-dd HH:mm z", "2020-01-01 00:00 UTC"),
    ("yyyy 'o''clock' HH", "2020 o'clock 05"),
    ("yy-MM-dd", "05-01-02"),
    ("HH:mm", "09:41"),
    ("yyyy", "1812"),
]

JAVA = """
import java.text.*; import java.util.*;
public class Dates {
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < a.length; i += 2) {
            SimpleDateFormat format = new SimpleDateFormat(a[i], Locale.ENGLISH);
            format.setTimeZone(TimeZone.getTimeZone("UTC"));
            System.out.println(format.parse(a[i + 1]).getTime());
        }
    }
}
"""


@pytest.mark.skipif(shutil.which("javac") is None, reason="no Java compiler on this machine")
def test_agrees_with_java(tmp_path: Path) -> None:
    (tmp_path / "Dates.java").write_text(JAVA)
    subprocess.run(["javac", "Dates.java"], cwd=tmp_path, check=True, capture_output=True)
    words = [word for case in CASES for word in case]
    ran = subprocess.run(
        ["java", "-cp", ".", "Dates", *words], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert [date_parser(pattern)(text) for pattern, text in CASES] == [float(line) for line in ran.stdout.split()]


@given(st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30)))
def test_agrees_with_the_calendar(moment: datetime) -> None:
    whole = moment.replace(microsecond=moment.microsecond // 1000 * 1000)
    text = f"{whole:%d %H:%M:%S}.{whole.microsecond // 1000:03} {whole.month}/{whole.year}"
    expected = (whole.replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(milliseconds=1)
    assert date_parser("dd HH:mm:ss.SSS M/yyyy")(text) == expected


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("yyyy-MM-dd", "2023-02-29"),
        ("yyyy-MM-dd", "2023-13-01"),
        ("yyyy-MM-dd", "yesterday"),
        ("yyyy-MM-dd", "2023-01-01 extra"),
        ("HH:mm", "25:00"),
        ("hh:mm a", "13:00 PM"),
        ("dd MMM yyyy", "01 Foo 2020"),
        ("yyyyMMdd", "2024229"),
    ],
)
def test_what_is_no_date_raises(pattern: str, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        date_parser(pattern)(text)


@pytest.mark.parametrize("pattern", ["QQ", "yyyy 'open", "yyyy yyyy"])
def test_what_is_no_pattern_raises(pattern: str) -> None:
    with pytest.raises(ValueError, match="date format"):
        date_parser(pattern)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("yyyy MM dd", "1999 12"),
        ("yyyy MM dd", "19991231"),
        ("MMM d, yyyy", "Febtober 3, 2001"),
        ("MMM d, yyyy", "Febr 3, 2001"),
        ("EEE yyyy", "Mondey 2001"),
        ("yyyy-MM-dd", "2" * 200),
        ("yyyy MM dd HH mm ss", "1 " * 200),
        ("yyyy MM dd HH mm ss", "1" * 200),
    ],
)
def test_what_java_refuses_is_refused_at_once(pattern: str, text: str) -> None:
    with pytest.raises(ValueError, match="does not fit the date format") as caught:
        date_parser(pattern)(text)
    assert len(str(caught.value)) < 150


def test_names_in_full_and_short_in_any_case() -> None:
    parse = date_parser("EEE, MMM d, yyyy")
    assert parse("Sat, Feb 3, 2001") == parse("saturday, FEBRUARY  3, 2001")
