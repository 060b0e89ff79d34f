"""The program as a whole: help, exit statuses, one clear line."""

import os
import signal
import subprocess
import sys
import time

import pytest

PROGRAM = [sys.executable, "-c", "from clearwood.cli import main; main()"]
COMMANDS = ["fit", "explore", "show", "predict", "evaluate", "compare", "export", "reproduce", "demo"]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_each_command_shows_an_example(clearwood, command):
    answer = clearwood(command, "--help")
    assert answer.status == 0
    assert f"\n    clearwood {command} " in answer.out.split("Example:")[1]


@pytest.mark.parametrize("command", ["fit", "explore", "predict", "evaluate", "best"])
def test_all_cores_are_used_unless_something_else_is_said_and_the_help_says_so(clearwood, command):
    said = " ".join(clearwood(command, "--help").out.split())
    assert "Threads to use; -1 for all cores, as far as the work is worth it." in said
    assert "[default: -1]" in said.partition("Threads to use")[2][:160]


def test_the_package_can_be_run_as_a_module():
    command = [sys.executable, "-m", "clearwood", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.startswith("clearwood ")
    command[-1] = "no-such-command"
    failed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert failed.returncode == 2 and failed.stderr.startswith("clearwood: ")


def test_without_arguments_it_helps(clearwood):
    answer = clearwood()
    assert answer.status == 0
    assert all(f"\n  {command} " in answer.out for command in COMMANDS)
    assert "..." not in answer.out.split("Commands:")[1], "a description is cut off"


def test_help_loads_few_modules():
    """Loading them takes the time to the first line; of our own there were 25 when this was written."""
    help_wanted = (
        "import contextlib, io, clearwood.cli as c\nwith contextlib.redirect_stdout(io.StringIO()): c.run(['--help'])"
    )
    shown = _loaded(help_wanted)
    ours = {name for name in shown if name.partition(".")[0] == "clearwood"}
    assert "clearwood.cli.app" in ours and len(ours) < 40
    packages = {name.partition(".")[0] for name in shown - _loaded("")} - sys.stdlib_module_names
    assert packages <= {"clearwood", "typer", "click", "shellingham", "annotated_doc", "typing_extensions"}
    assert {"asyncio", "email", "http", "unittest", "xml", "multiprocessing"}.isdisjoint(shown)


def _loaded(code):
    command = [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"]
    return set(subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout.split())


def test_the_version_is_printed(clearwood):
    import clearwood as package

    assert clearwood("--version").out == f"clearwood {package.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fti"], "No such command 'fti'"),
        (["fit"], "Missing argument 'DATA'"),
        (["fit", "DATA", "--tagret", "x"], "--target"),
        (["evaluate", "DATA", "--cv", "ten"], "'--cv'"),
        (["fit", "DATA", "--learner", "c54"], "no learner 'c54'; did you mean 'c45'? There are: bagging, c45, cart"),
        (["fit", "DATA", "--option", "confidense=0.1"], "no option of c45 'confidense'; did you mean 'confidence'?"),
        (["fit", "DATA", "--option", "confidence"], "must have the form KEY=VALUE, got 'confidence'"),
        (
            ["fit", "DATA", "--option", "confidence=high"],
            "confidence must be 'cv' or a number between 0 and 1, got 'high'",
        ),
        (["fit", "DATA", "--learner", "ism", "--option", "ensemble=forest"], "ensemble must be a learner or a model"),
        (["fit", "DATA", "--learner", "setgen", "--option", "groups=5"], "groups must be lists of features"),
        (["fit", "DATA", "--learner", "setgen", "--option", "operator_shares=1,2,3"], "as in [1,2,3], got '1,2,3'"),
        (["fit", "DATA", "--learner", "forest"], "--learner distilled, ism or cmm makes one tree of many"),
        (["fit", "DATA", "--seed", "-1"], "'--seed': -1 is no seed; give a number of at least 0"),
        (["evaluate", "DATA", "--seed", "-1"], "'--seed': -1 is no seed; give a number of at least 0"),
        (["compare", "c45", "--data", "DATA", "--seed", "-1"], "'--seed': -1 is no seed; give a number of at least 0"),
        (["fit", "DATA", "--target", "specie"], "did you mean 'species'?"),
        (["fit", "DATA", "--ignore", "petal widht"], "did you mean 'petal width'?"),
        (["fit", "DATA", "--save", "no/such/folder/tree.json"], "no/such/folder/tree.json: No such file or directory."),
        (["fit", "nothere.csv"], "nothere.csv"),
        (["evaluate", "DATA", "--cv", "1"], "at least 2, got 1"),
        (["evaluate", "DATA", "--repeats", "0"], "repeats must be at least 1, got 0"),
        (["show", "nothere.json"], "nothere.json: No such file or directory."),
        (["show", "DATA"], "iris.csv: "),
        (["show", "TREE", "--sql", "duckbd"], "got 'duckbd'; did you mean 'duckdb'?"),
        (["show", "TREE", "--dot", "--weka"], "show one form at a time, not --dot and --weka"),
        (["show", "TREE", "--plot", "tree.gif2"], "'tree.gif2' does not end in .svg, .pdf or .png"),
        (["export", "TREE", "--format", "wkea"], "no format 'wkea'; did you mean 'weka'?"),
        (["export", "TREE", "--format", "png"], "what is not text needs a file"),
        (["predict", "TREE", "nothere.csv"], "nothere.csv"),
    ],
)
def test_a_mistake_gets_status_2_and_one_line(
    clearwood, iris_csv, tree_json, arguments, message, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    files = {"DATA": iris_csv, "TREE": tree_json}
    answer = clearwood(*(files.get(argument, argument) for argument in arguments))
    assert answer.status == 2
    assert answer.out == ""
    assert answer.err.startswith("clearwood: ") and answer.err.count("\n") == 1
    assert message in answer.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("asked", ["Unable to allocate 7.28 TiB", ""])
def test_a_lack_of_memory_gets_status_2_and_one_line(clearwood, tree_json, monkeypatch, asked):
    from clearwood.tree import Tree

    def take_too_much(tree):
        raise MemoryError(*([asked] if asked else []))

    monkeypatch.setattr(Tree, "to_dot", take_too_much)
    answer = clearwood("show", tree_json, "--dot")
    told = f" ({asked})" if asked else ""
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == f"clearwood: there is not enough memory{told}; ask for less, or give fewer rows.\n"


def test_the_help_shows_how_a_list_is_typed(clearwood):
    assert "operator_shares=[1,2,3]" in " ".join(clearwood("fit", "--help").out.split())


def test_a_mistake_in_the_program_is_not_hidden(clearwood, tree_json, monkeypatch):
    from clearwood.tree import Tree

    monkeypatch.setattr(Tree, "to_dot", lambda tree: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        clearwood("show", tree_json, "--dot")


def test_a_traceback_can_be_asked_for(clearwood, monkeypatch):
    monkeypatch.setenv("CLEARWOOD_TRACEBACK", "1")
    with pytest.raises(FileNotFoundError):
        clearwood("show", "nothere.json")


def test_interruption_gives_status_130_and_one_line(clearwood, tree_json, monkeypatch):
    from clearwood.tree import Tree

    def interrupt(tree):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(5)

    monkeypatch.setattr(Tree, "to_dot", interrupt)
    answer = clearwood("show", tree_json, "--dot")
    assert (answer.status, answer.out, answer.err) == (130, "", "clearwood: interrupted.\n")


def test_a_reader_that_has_seen_enough_is_no_error(tree_json):
    command = " ".join(["'" + part + "'" for part in [*PROGRAM, "show", str(tree_json), "--json"]])
    done = subprocess.run(["bash", "-c", f"{command} | true"], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
