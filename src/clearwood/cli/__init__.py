"""The command line: parse, call, print."""

from clearwood.cli.run import main, run

__all__ = ["main", "run"]
