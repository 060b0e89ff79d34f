"""``clearwood best`` from the shell."""

import duckdb
import pytest

import clearwood as cw

QUICK = ("--budget", "0.5s", "--jobs", "1")


def test_it_prints_the_answer_and_hands_the_tree_over(clearwood, iris_csv, tmp_path):
    tree, page, sql = tmp_path / "tree.json", tmp_path / "report.html", tmp_path / "score.sql"
    hand_over = ("--save", tree, "--page", page, "--sql", sql, "--dialect", "duckdb", "--table", "flowers")
    answer = clearwood("best", iris_csv, "--target", "species", *QUICK, *hand_over)
    assert answer.status == 0
    for part in ("The data", "The tree to use", "How good it is", "Why this one", "To get the same again"):
        assert part in answer.out
    assert f"clearwood best {iris_csv} --target species" in answer.out
    found = cw.Tree.from_json(tree.read_text(encoding="utf-8"))
    table = cw.read(iris_csv, target="species")
    assert found == cw.best(table, budget=0.5, n_jobs=1, progress=False).tree
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    database = duckdb.connect()
    database.execute(f"CREATE TABLE flowers AS SELECT * FROM read_csv('{iris_csv}')")
    said = database.execute(
        f"SELECT predicted, count(*) FROM ({sql.read_text(encoding='utf-8')}) GROUP BY 1"
    ).fetchall()
    labels = [found.classes[code] for code in found.predict(table)]
    assert dict(said) == {label: labels.count(label) for label in set(labels)}


def test_json_is_one_document(clearwood, iris_csv):
    document = clearwood("best", iris_csv, *QUICK, "--json").document
    assert document["tells"] and document["interval"][0] < document["error"] < document["interval"][1]
    assert document["command"].startswith("clearwood best ")


def test_the_same_command_gives_the_same_answer(clearwood, iris_csv):
    first, second = (clearwood("best", iris_csv, *QUICK, "--json").document for _ in range(2))
    assert first == second


def test_time_is_a_budget_or_a_column(clearwood, iris_csv, tmp_path):
    assert clearwood("best", iris_csv, "--time", "0.5s", "--jobs", "1").status == 0
    lines = iris_csv.read_text(encoding="utf-8").splitlines()
    shuffled = [f"{lines[0]},day", *(f"{line},{(7 * i) % 150}" for i, line in enumerate(lines[1:]))]
    data = tmp_path / "days.csv"
    data.write_text("\n".join(shuffled) + "\n", encoding="utf-8")
    for option in ("--time", "--order"):
        answer = clearwood("best", data, "--target", "species", option, "day", *QUICK)
        assert answer.status == 0 and "forward in time" in answer.out and "4 numeric" in answer.out
    wrong = clearwood("best", data, "--target", "species", "--time", "dya")
    assert wrong.status == 2 and "did you mean 'day'" in wrong.err


def test_a_cost_matrix_is_read(clearwood, iris_csv, tmp_path):
    costs = tmp_path / "costs.csv"
    costs.write_text(
        ",setosa,versicolor,virginica\nsetosa,0,1,1\nversicolor,1,0,1\nvirginica,1,9,0\n", encoding="utf-8"
    )
    document = clearwood("best", iris_csv, "--cost-matrix", costs, *QUICK, "--json").document
    assert document["metric"] == "cost" and document["tree"]["costs"][2] == [1, 9, 0]


@pytest.mark.parametrize("limit", [("--leaves", "1"), ("--features", "0")])
def test_a_limit_that_leaves_no_tree_is_said_to_do_so(clearwood, iris_csv, limit):
    answer = clearwood("best", iris_csv, *limit, *QUICK)
    said = " ".join(answer.out.split())
    assert answer.status == 0 and "do not tell" not in said
    assert f"({' '.join(limit)}) allows a tree of one leaf only: it always says" in said


def test_two_results_in_one_file_are_refused_before_the_search(clearwood, iris_csv, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.out").write_text("before")
    (tmp_path / "link.out").symlink_to("there.out")
    for first, second in (("x.out", "x.out"), ("x.out", tmp_path / "x.out"), ("there.out", "link.out")):
        for options in (("--save", first, "--page", second), ("--page", first, "--sql", second)):
            answer = clearwood("best", "nothere.csv", *options)
            assert answer.status == 2 and f"{options[0]} and {options[2]} both write {second}" in answer.err
    assert (tmp_path / "there.out").read_text() == "before"
    both = clearwood("best", iris_csv, "--save", "/dev/null", "--page", "/dev/null", *QUICK)
    assert both.status == 0 and sorted(file.name for file in tmp_path.iterdir()) == ["link.out", "there.out"]


def test_the_costs_are_not_overwritten(clearwood, iris_csv, tmp_path):
    (tmp_path / "costs.csv").write_text("costs")
    words = ("--cost-matrix", tmp_path / "costs.csv", "--page", tmp_path / "costs.csv")
    assert "is the file that is read" in clearwood("best", iris_csv, *words).err
    assert (tmp_path / "costs.csv").read_text() == "costs"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--metric", "speed"), "metric must be"),
        (("--budget", "soon"), "--budget must be a time"),
        (("--group", "town"), "is no column"),
        (("--keep", "town"), "keep names 'town'"),
        (("--budget", "10min", "--time", "1s"), "--time 1s is the same as --budget 1s"),
        (("--json", "--sql", "-"), "--sql - would spoil it"),
        (("--dialect", "duckbd"), "did you mean 'duckdb'"),
    ],
)
def test_wrong_options_are_one_line(clearwood, iris_csv, options, words):
    answer = clearwood("best", iris_csv, *options)
    assert answer.status == 2 and words in answer.err and answer.err.count("\n") == 1
