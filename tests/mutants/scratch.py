"""Scratch: a copy of the sources with a build of its own, in which faults are planted and taken out again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from faults import Fault

ROOT = Path(__file__).resolve().parents[2]
SOURCES = "src/clearwood"
BUILT = ("meson.build", "meson.options", "README.md", "LICENSE", "pyproject.toml")


class NotFound(Exception):
    """A fault whose text is not in the sources, or more than once."""


def place_of(fault: Fault, root: Path) -> Path:
    """The one file, among those that the fault's pattern names, that holds its text just once."""
    files = sorted(file for file in (root / SOURCES).glob(fault.where) if file.is_file())
    counts = {file: file.read_text(encoding="utf-8").count(fault.text) for file in files}
    found = [file for file, count in counts.items() if count]
    if len(found) != 1 or counts[found[0]] != 1:
        held = {str(file.relative_to(root)): counts[file] for file in found}
        raise NotFound(f"{fault.name}: its text is found {sum(counts.values())} times in {fault.where} {held or ''}")
    return found[0]


class Scratch:
    """The copy, its build with bounds checks as in ``make test``, and the installed package that tests import."""

    def __init__(self, folder: Path) -> None:
        self.tree, self._build, self._stage = folder / "tree", folder / "build", folder / "stage"
        self._copy_sources()
        if not (self._build / "build.ninja").is_file():
            settings = ["--buildtype=release", "-Db_ndebug=if-release", "-Dbounds_checks=true"]
            self._run("meson", "setup", str(self._build), str(self.tree), *settings)
        self.build()

    def _copy_sources(self) -> None:
        """Make the copy equal to the sources; only what differs is touched, so that only that is built again."""
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", SOURCES, *BUILT],
            cwd=ROOT, capture_output=True, text=True, check=True,
        )  # fmt: skip
        names = {name for name in listed.stdout.splitlines() if (ROOT / name).is_file()}
        for name in names:
            source, copy = ROOT / name, self.tree / name
            if not copy.is_file() or copy.read_bytes() != source.read_bytes():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(
                    source, copy
                )  # as new: a build of the fault that stood there must not be taken for this
        for copy in [file for file in self.tree.rglob("*") if file.is_file()]:
            if copy.relative_to(self.tree).as_posix() not in names:
                copy.unlink()
        shutil.rmtree(self._stage, ignore_errors=True)

    def build(self) -> str | None:
        """Compile what has changed and install it; what the compiler complains of, or None."""
        told = self._run("ninja", "-C", str(self._build), check=False)
        if told.returncode:
            return told.stdout[-2000:]
        self._run("meson", "install", "-C", str(self._build), "--destdir", str(self._stage), "--quiet", "--no-rebuild")
        return None

    @property
    def site(self) -> Path:
        """The folder that PYTHONPATH must name."""
        return next(self._stage.rglob("clearwood/__init__.py")).parents[1]

    def test(self, tests: tuple[str, ...], seconds: float | None = None) -> subprocess.CompletedProcess[str]:
        """Run tests against the installed package up to the first that fails; TimeoutExpired if they take too long."""
        paths = os.pathsep.join(map(str, (self.site, ROOT / "tests" / "startup")))
        environment = {**os.environ, "PYTHONPATH": paths, "MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1"}
        environment.pop("CLEARWOOD_CHECKED_BUILD", None)
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb=line", *tests]
        return subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=seconds, check=False
        )

    def _run(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        # the build finds its tools on the path, so those of this Python must come first
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PATH": path}, check=False)
        if check and done.returncode:
            raise RuntimeError(f"{' '.join(command)} failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done
