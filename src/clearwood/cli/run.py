"""Run one command, and turn what went wrong into one line and an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

__all__ = ["main", "run"]

WRONG_INPUT = 2
INTERRUPTED = 130  # 128 + SIGINT, as shells report it


def main() -> None:
    """The ``clearwood`` program."""
    status = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Run the command that the arguments name; the exit status is 0, 2 for wrong input or 130 for Ctrl-C.

    A mistake in this program itself is raised, not reported, and so is everything when
    ``CLEARWOOD_TRACEBACK`` is set.
    """
    from clearwood.cli.app import app

    try:
        status = app(args=list(arguments) or ["--help"], prog_name="clearwood", standalone_mode=False)
    except KeyboardInterrupt:
        status = INTERRUPTED
    except (ValueError, KeyError, OSError, ImportError, MemoryError) as error:
        if os.environ.get("CLEARWOOD_TRACEBACK"):
            raise
        return _complain(_in_words(error))
    except Exception as error:  # typer's own kinds of usage error differ from release to release
        if not hasattr(error, "format_message"):
            raise
        return _complain(_usage_in_words(error))
    if status == INTERRUPTED:
        print("clearwood: interrupted.", file=sys.stderr)
    return int(status or 0)


def _complain(message: str) -> int:
    from clearwood.cli.spoken import as_options

    print(f"clearwood: {as_options(' '.join(message.split()))}", file=sys.stderr)
    return WRONG_INPUT


def _in_words(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."
    if isinstance(error, KeyError) and error.args:
        return str(error.args[0])  # str() of a KeyError would add quotes
    if isinstance(error, MemoryError):
        asked = f" ({error})" if str(error) else ""
        return f"there is not enough memory{asked}; ask for less, or give fewer rows."
    return str(error) or type(error).__name__


def _usage_in_words(error: Exception) -> str:
    message = str(error.format_message()).rstrip(". ")  # type: ignore[attr-defined]
    message = message.replace("'. Did you mean ", "'; did you mean ")
    context, end = getattr(error, "ctx", None), "" if message.endswith("?") else "."
    if context is None:
        return f"{message}{end}"
    return f"{message}{' See' if not end else '; see'} '{context.command_path} --help'."
