"""A study in a process of its own, to be killed: ``study_program.py STORE DIARY PAUSE REPEATS BACKEND LIMIT``."""

import sys

from fragile_learners import Majority
from sample_study import blobs

import clearwood as cw

if __name__ == "__main__":
    store, diary, pause, repeats, backend, limit = sys.argv[1:]
    learners = {"slow": Majority(float(pause), diary), "slower": Majority(2 * float(pause), diary)}
    cw.compare(
        learners,
        blobs(),
        cv=5,
        repeats=int(repeats),
        store=store,
        n_jobs=2,
        backend=backend,
        time_limit=float(limit) or None,
        progress=lambda done, total: print(done, total, flush=True),
    )
