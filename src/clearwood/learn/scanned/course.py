"""Course: a tree's way from level to level, with progress, Ctrl-C and a file from which it goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from clearwood.checkpoint import Checkpoint, fingerprint
from clearwood.interrupt import Interrupt, watch_for_interrupt
from clearwood.learn.growing import Growth, Pruning
from clearwood.learn.scanned.nodes import Node
from clearwood.learn.scanned.questions import Questions
from clearwood.learn.scanned.stored import pack, unpack
from clearwood.progress import Tell, show_bar
from clearwood.read.notes import warn
from clearwood.scan.scan import Scan
from clearwood.stored_state import StoredState

__all__ = ["Course", "Interrupted", "follow"]

Report = Callable[[int, int, dict[str, float]], None]


class Interrupted(Exception):
    """The user has asked to stop: what is finished by now is the result."""


class Course:
    """What is told and kept while a tree grows.

    Parameters
    ----------
    questions : Questions
        Through which all statements go.
    interrupt : Interrupt
        Whether the user wants to stop; it is looked at before each statement.
    report, tell : callables or None
        The caller's own progress, and the bar's.
    checkpoint : Checkpoint or None
        What keeps the finished levels.
    """

    def __init__(
        self,
        questions: Questions,
        interrupt: Interrupt,
        report: Report | None = None,
        tell: Tell | None = None,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        self.n_levels = 0
        self._questions, self._interrupt, self._report, self._tell = questions, interrupt, report, tell
        self._checkpoint = checkpoint

    def resumed(self) -> tuple[Node, list[Node]] | None:
        """The tree in the file and its open nodes; None without one."""
        state = None if self._checkpoint is None else self._checkpoint.load()
        if self._checkpoint is None or state is None:
            return None
        scan = self._questions.scan
        try:
            root, level = unpack(StoredState(state), scan.columns, len(scan.classes))
        except (ValueError, TypeError, IndexError) as error:
            why = str(error).removesuffix(".")
            raise self._checkpoint.refused(f"does not hold a tree to go on from: {why}") from None
        self.n_levels = max((node.depth for node in root.walk()), default=0)
        return root, level

    def finished_level(self, root: Node, level: Sequence[Node], total: int) -> None:
        """One more level is finished; the nodes of the next one are open."""
        self.n_levels += 1
        total = max(total if level else self.n_levels, self.n_levels + bool(level))
        scanned = self._questions.n_statements * self._questions.scan.n_rows
        if self._report is not None:
            self._report(self.n_levels, total, {"rows_scanned": float(scanned), "open_nodes": float(len(level))})
        if self._tell is not None:
            self._tell(self.n_levels, total, f"{scanned:,} rows scanned, {len(level)} nodes open")
        if self._checkpoint is not None:
            self._save(self._checkpoint, root, level)

    def _save(self, file: Checkpoint, root: Node, level: Sequence[Node]) -> None:
        try:
            file.save(pack(root, level))
        except OSError as error:
            warn(
                f"checkpoint={str(file.path)!r} cannot be written ({error.strerror or error}); the tree grows on, but "
                "what is done from here is lost if it is stopped."
            )

    def look(self) -> None:
        """Stop if the user wants to."""
        if self._interrupt:
            raise Interrupted

    def say_interrupted(self) -> None:
        """Tell what the result is; without a finished level there is none."""
        if not self.n_levels:
            raise KeyboardInterrupt
        remedy = "" if self._checkpoint is None else "; the same call goes on from the checkpoint"
        levels = "1 level" if self.n_levels == 1 else f"{self.n_levels} levels"
        warn(f"interrupted after {levels}: the tree is what was grown by then{remedy}.")


@contextmanager
def follow(questions: Questions, growth: Growth, pruning: Pruning | None) -> Iterator[Course]:
    """The course of a tree that is about to be grown, as its scan says."""
    scan = questions.scan
    file = None
    if scan.checkpoint is not None:
        counts, _ = questions.totals([Node.top(len(scan.classes))])
        named = (scan.source, scan.columns, scan.target, scan.n_rows, scan.in_memory, scan.part, growth, pruning)
        codes = [cells.results for cells in scan._cells]  # rare values that pass for one change them
        file = Checkpoint(_file_of(scan), fingerprint("scan", *named, codes, counts[0].tolist()))
    report = scan.progress if callable(scan.progress) else None
    show = False if callable(scan.progress) else scan.progress
    with show_bar(f"scanning {scan.source}", show) as tell, watch_for_interrupt() as interrupt:
        course = Course(questions, interrupt, report, tell, file)
        questions.before = course.look
        try:
            yield course
        finally:
            questions.before = None


def _file_of(scan: Scan) -> Path:
    """The checkpoint of a scan; a part of one has a file of its own beside it."""
    path = Path(scan.checkpoint or "")
    return path if scan.part is None else path.with_name(f"{path.name}.{scan.part.low}-{scan.part.high}")
