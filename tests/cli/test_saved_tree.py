import pytest


@pytest.mark.parametrize("cut", [0, 1, 100, -2, -20])
def test_a_damaged_tree_is_refused(clearwood, tree_json, tmp_path, cut):
    damaged = tmp_path / "damaged.json"
    damaged.write_text(tree_json.read_text(encoding="utf-8")[:cut], encoding="utf-8")
    answer = clearwood("show", damaged)
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "damaged.json" in answer.err


def test_a_tree_that_is_no_text_is_refused(clearwood, tmp_path):
    binary = tmp_path / "tree.json"
    binary.write_bytes(b"\x80\x04\xff\x00" * 50)
    answer = clearwood("show", binary)
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
