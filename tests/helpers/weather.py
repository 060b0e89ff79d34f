"""Weather: the fourteen well-known examples of when to play tennis, nominal and with measured values."""

from __future__ import annotations

from clearwood.table import Column, Table

OUTLOOK, TEMPERATURE, HUMIDITY, WIND = (
    ("sunny", "overcast", "rain"),
    ("hot", "mild", "cool"),
    ("high", "normal"),
    ("weak", "strong"),
)
PLAY = ("yes", "no")
DAYS = """
sunny hot 85 high 85 weak no
sunny hot 80 high 90 strong no
overcast hot 83 high 86 weak yes
rain mild 70 high 96 weak yes
rain cool 68 normal 80 weak yes
rain cool 65 normal 70 strong no
overcast cool 64 normal 65 strong yes
sunny mild 72 high 95 weak no
sunny cool 69 normal 70 weak yes
rain mild 75 normal 80 weak yes
sunny mild 75 normal 70 strong yes
overcast mild 72 high 90 strong yes
overcast hot 81 normal 75 weak yes
rain mild 71 high 91 strong no
"""


def play_tennis() -> Table:
    """Outlook, temperature, humidity and wind by name."""
    outlook, temperature, _, humidity, _, wind, play = zip(*map(str.split, DAYS.split("\n")[1:-1]), strict=True)
    columns = [
        Column("outlook", OUTLOOK),
        Column("temperature", TEMPERATURE),
        Column("humidity", HUMIDITY),
        Column("wind", WIND),
    ]
    cells = [_codes(outlook, OUTLOOK), _codes(temperature, TEMPERATURE), _codes(humidity, HUMIDITY), _codes(wind, WIND)]
    return Table(columns, cells, target=Column("play", PLAY), y=_codes(play, PLAY), name="play tennis")


def weather_numeric() -> Table:
    """The same days with temperature and humidity as numbers."""
    outlook, _, temperature, _, humidity, wind, play = zip(*map(str.split, DAYS.split("\n")[1:-1]), strict=True)
    columns = [Column("outlook", OUTLOOK), Column("temperature"), Column("humidity"), Column("windy", WIND[::-1])]
    cells = [
        _codes(outlook, OUTLOOK),
        [float(t) for t in temperature],
        [float(h) for h in humidity],
        _codes(wind, WIND[::-1]),
    ]
    return Table(columns, cells, target=Column("play", PLAY), y=_codes(play, PLAY), name="weather.numeric")


def _codes(words: tuple[str, ...], values: tuple[str, ...]) -> list[int]:
    return [values.index(word) for word in words]
