"""Fuzz: very many random cases of each area, each from a seed of its own; ``python tests/fuzz --help``.

Each area runs in a process of its own, so that a crash or a hang names the seed that made it and ends nothing else.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from areas import AREAS, run_case  # beside this file, where Python looks first

HERE = Path(__file__).parent


def main() -> int:
    """Run what was asked for; the status is the number of areas in which something was found."""
    options = _options()
    sys.path.insert(1, str(HERE.parent / "helpers"))
    if options.inside:
        return _run_inside(options.areas[0], range(options.seed, options.seed + options.cases), options.seconds)
    with _databases(options.areas):
        return sum(_run_area(area, options) for area in options.areas)


@contextmanager
def _databases(areas: list[str]) -> Iterator[None]:
    """A live PostgreSQL for the processes that ask it, if there is one; here, so that it outlives a crash of theirs."""
    from servers import postgres_binaries, postgres_server
    from sql_area import POSTGRES

    if "sql" not in areas or postgres_binaries() is None:
        yield
        return
    with postgres_server() as uri:
        os.environ[POSTGRES] = uri
        yield


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python tests/fuzz", description=__doc__)
    parser.add_argument("areas", nargs="*", default=list(AREAS), metavar="AREA", help=f"of {', '.join(AREAS)}")
    parser.add_argument("--cases", type=int, default=10_000, help="of each area")
    parser.add_argument("--seed", type=int, default=0, help="of the first case; the others follow")
    parser.add_argument("--seconds", type=float, default=120, help="after which a case counts as hanging")
    parser.add_argument("--minutes", type=float, default=60, help="for each area at most")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    for area in options.areas:
        if area not in AREAS:
            parser.error(f"no area {area!r}; there are {', '.join(AREAS)}")
    return options


def _run_area(area: str, options: argparse.Namespace) -> int:
    """All cases of an area, in processes that are started anew after each that was ended by a case."""
    begun, seed, last = time.monotonic(), options.seed, options.seed + options.cases
    outcomes: Counter[str] = Counter()
    findings: list[str] = []
    while seed < last and (left := 60 * options.minutes - (time.monotonic() - begun)) > 0:
        command = [sys.executable, str(HERE), area, "--inside", "--seed", str(seed), "--cases", str(last - seed)]
        process = subprocess.Popen(
            [*command, "--seconds", str(options.seconds)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        try:
            said, complained = process.communicate(timeout=left)
        except subprocess.TimeoutExpired:
            process.kill()
            said, complained = process.communicate()
        done = [line.split("\t", 2) for line in said.splitlines() if line.count("\t") == 2]
        for number, outcome, words in done:
            outcomes[outcome] += 1
            if outcome == "finding":
                findings.append(f"{area} {number}: {words}")
        seed = int(done[-1][0]) + 1 if done else seed
        if process.returncode not in (0, -9):  # a crash, or a hang that faulthandler has ended
            findings.append(f"{area} {seed}: the process ended with {process.returncode}:\n{complained[:1000]}")
            seed += 1
    print(f"{area}: {sum(outcomes.values()):,} cases in {time.monotonic() - begun:,.0f} s:", end=" ")
    print(", ".join(f"{n:,} {outcome}" for outcome, n in outcomes.most_common()) or "none")
    for finding in findings:
        print(f"  {finding}")
    sys.stdout.flush()
    return bool(findings)


def _run_inside(area: str, seeds: range, seconds: float) -> int:
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            faulthandler.dump_traceback_later(seconds, exit=True)
            outcome, words = run_case(area, seed, Path(folder))
            faulthandler.cancel_dump_traceback_later()
            print(seed, outcome, words, sep="\t", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
