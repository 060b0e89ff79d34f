"""The README is executed: its blocks run in order, in one folder, and print what stands beside them."""

import contextlib
import doctest
import io
import re
import shlex
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks():
    """(language, line number of the first line, content) of each fenced block."""
    text = README.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        yield found[1], text.count("\n", 0, found.start()) + 2, found[2]


def test_a_fitted_tree_is_printed_before_line_40():
    _, start, block = next(found for found in blocks() if found[0] in ("python", "pycon"))
    assert "cw.best(" in block and "print(" in block
    assert start + block[: block.index("print(")].count("\n") < 40


def test_every_block_does_what_the_readme_says(tmp_path, monkeypatch):
    """Python blocks with prompts are doctests; the output of others is the ``text`` block that follows, if any.

    In console blocks, lines after ``$ clearwood …`` are its output.
    """
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    space, found, ran = {"__name__": "readme"}, list(blocks()), 0
    for i, (language, line, block) in enumerate(found):
        if language in ("python", "pycon") and ">>>" in block:
            run_doctest(block, line, space)
        elif language == "python":
            following = found[i + 1] if i + 1 < len(found) else ("", 0, "")
            adjacent = following[0] == "text" and following[1] - (line + block.count("\n")) <= 3
            printed = run_python(block, line, space)
            if adjacent:
                compare(line, following[2], printed)
        elif language in ("console", "bash", "sh"):
            for command, expected, where in commands(block, line):
                run_command(command, expected, where)
        ran += language in ("python", "pycon", "console", "bash", "sh")
    assert ran


def run_doctest(block, line, space):
    examples = doctest.DocTestParser().get_doctest(block, space, f"README.md:{line}", str(README), line)
    report = []
    failed = doctest.DocTestRunner(optionflags=FLAGS).run(examples, out=report.append, clear_globs=False).failed
    assert not failed, "".join(report)
    space.update(examples.globs)


def run_python(block, line, space):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile("\n" * (line - 1) + block, str(README), "exec"), space)
    return printed.getvalue()


def commands(block, line):
    """Each ``clearwood`` command of a block, the output that the README shows for it, and its line."""
    block = block.replace("\\\n", " ")
    prompts = "$ " in block
    for found in re.finditer(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)" if prompts else r"^(.*)\n()", block, re.MULTILINE):
        if found[1].startswith("clearwood "):
            yield found[1], found[2], line + block.count("\n", 0, found.start())


def run_command(command, expected, line):
    """Example files need not exist: a command may fail for want of one, but for nothing else."""
    from clearwood.cli import run

    words = shlex.split(re.split(r" [|>] ", command)[0], comments=True)[1:]
    if words[0] == "demo":
        words.append("--help")  # tests/test_demo.py runs it
    printed, said = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
        status = run(words)
    if status == 0 and expected.strip() and words[-1] != "--help":
        compare(line, expected, printed.getvalue() + said.getvalue())
    file_is_absent = any(words in said.getvalue() for words in ("No such file", "no file", "no data set"))
    assert status == 0 or file_is_absent, f"README.md:{line}: {said.getvalue()}"


def compare(line, expected, printed):
    same = doctest.OutputChecker().check_output(expected, printed, FLAGS)
    assert same, f"README.md:{line} says\n{expected}\nbut it prints\n{printed}"
