from __future__ import annotations

import socket

from clearwood.studies.claims import Claims
from clearwood.studies.store import Store
from clearwood.studies.units import Unit


def test_claims_of_the_dead_are_free_and_of_the_living_are_not(tmp_path):
    unit = Unit("s", "a", "x", 0, 0)
    with Store(tmp_path / "r.db") as store, Store(tmp_path / "r.db") as same:
        mine, other = Claims(store), Claims(same)
        assert mine.take(unit) and mine.take(unit) and not other.take(unit)
        mine.release()
        assert other.take(unit) and not mine.take(unit)
    with Store(tmp_path / "r.db") as store:
        with store.transaction() as connection:  # as if it had been another process, now gone: no number is so high
            connection.execute("UPDATE holder SET process = ?", (f"{socket.gethostname()} {2**22} 1",))
        assert Claims(store).take(unit)
