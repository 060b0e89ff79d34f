"""Mutants: plant known faults one at a time, and see whether the tests notice them; ``python tests/mutants --help``."""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

from faults import FAULTS, Fault
from scratch import ROOT, NotFound, Scratch, place_of


def main() -> int:
    """Plant the faults that were asked for; the status is the number that no test has noticed."""
    options = _options()
    chosen = [fault for fault in FAULTS if not options.only or any(word in fault.name for word in options.only)]
    if _complain_of_strays():
        return 2
    if options.list:
        print("\n".join(f"{fault.name:<44} {', '.join(fault.tests)}" for fault in chosen))
        return 0
    scratch = Scratch(options.folder)
    broken = _broken_tests(scratch, chosen)
    if broken:
        print(f"without any fault these fail already, so they can tell nothing:\n{broken}")
        return 2
    survivors = [fault for fault in chosen if not _is_noticed(scratch, fault, options.seconds)]
    print(f"\n{len(chosen)} faults planted, {len(chosen) - len(survivors)} noticed, {len(survivors)} not")
    for fault in survivors:
        print(f"  {fault.name} ({fault.where})")
    return len(survivors)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python tests/mutants", description=__doc__)
    parser.add_argument("--only", nargs="+", metavar="WORD", help="faults whose names hold one of these words")
    parser.add_argument("--list", action="store_true", help="name the faults and their tests; plant none")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "mutants", help="where the copy is built")
    parser.add_argument("--seconds", type=float, default=900, help="tests that take longer have noticed a fault")
    return parser.parse_args()


def _complain_of_strays() -> bool:
    """Say which faults no longer fit the sources: a list that has fallen behind must not look like a success."""
    strays = []
    for fault in FAULTS:
        try:
            place_of(fault, ROOT)
        except NotFound as error:
            strays.append(str(error))
    if strays:
        print(
            "faults that the sources have outgrown; mend their texts in tests/mutants/faults.py:", *strays, sep="\n  "
        )
    return bool(strays)


def _broken_tests(scratch: Scratch, chosen: list[Fault]) -> str:
    tests = tuple(sorted({test for fault in chosen for test in fault.tests}))
    done = scratch.test(tests)
    return "" if done.returncode == 0 else done.stdout[-3000:]


def _is_noticed(scratch: Scratch, fault: Fault, seconds: float) -> bool:
    """Plant a fault, build, test, and take it out again."""
    place = place_of(fault, scratch.tree)
    sound = place.read_text(encoding="utf-8")
    start = time.monotonic()
    try:
        place.write_text(sound.replace(fault.text, fault.instead), encoding="utf-8")
        complaint = scratch.build()
        if complaint is not None:
            raise RuntimeError(f"{fault.name} does not compile:\n{complaint}")
        try:
            done = scratch.test(fault.tests, seconds)
            noticed = done.returncode != 0
            words = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ""
            by = next(
                (line.split(" - ")[0] for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))),
                words,
            )
        except subprocess.TimeoutExpired:
            noticed, by = True, f"no end within {seconds:g} s"
    finally:
        place.write_text(sound, encoding="utf-8")
    print(
        f"{'noticed ' if noticed else 'SURVIVED'} {fault.name:<44} {time.monotonic() - start:4.0f} s  {by}", flush=True
    )
    return noticed


if __name__ == "__main__":
    sys.exit(main())
