import errno
import os
import re
import stat
from pathlib import Path

import pytest
from sample_comparisons import sample_comparison

from clearwood.whole_file import check_writable, whole_text, write_whole

SOURCES = Path(__file__).parents[1] / "src" / "clearwood"


def test_text_bytes_and_what_a_function_writes(tmp_path):
    path = tmp_path / "tree.json"
    for content in ("ü", b"\xc3\xbc", lambda file: file.write("ü".encode())):
        write_whole(path, content)
        assert path.read_bytes() == b"\xc3\xbc" and list(tmp_path.iterdir()) == [path]


@pytest.fixture
def full_disk(monkeypatch):
    def full(handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)


@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "tree.json"
    path.write_text("good")

    with pytest.raises(OSError, match="No space left"):
        write_whole(path, "half of a tree")
    assert path.read_text() == "good" and list(tmp_path.iterdir()) == [path]


def test_modes_and_links_are_kept(tmp_path):
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_whole(link, "new")
    assert link.is_symlink() and real.read_text() == "new" and stat.S_IMODE(real.stat().st_mode) == 0o640
    mask = os.umask(0o027)
    try:
        write_whole(tmp_path / "new.json", "")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new.json").stat().st_mode) == 0o640


def test_devices_are_written_to_not_replaced(tmp_path):
    write_whole(Path("/dev/null"), "anything")
    assert Path("/dev/null").is_char_device()
    check_writable(Path("/dev/null"))


def test_a_place_that_cannot_be_written_is_found_beforehand(tmp_path):
    check_writable(tmp_path / "new.json")
    assert list(tmp_path.iterdir()) == []
    for path in (tmp_path / "no" / "x.json", Path("/proc/x.json"), tmp_path):
        with pytest.raises(OSError):
            check_writable(path)


def test_text_that_was_not_finished_replaces_nothing(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("good")
    with pytest.raises(TypeError), whole_text(path) as file:
        file.writelines(["half", 7])
    assert path.read_text() == "good"
    with whole_text(path) as file:
        file.write("a\r\nb")
    assert path.read_bytes() == b"a\r\nb" and list(tmp_path.iterdir()) == [path]


@pytest.mark.usefixtures("full_disk")
@pytest.mark.parametrize("write", ["write_page", "write_csv"])
def test_a_full_disk_leaves_reports_as_they_were(write, tmp_path):
    path = tmp_path / "report"
    path.write_text("good")

    with pytest.raises(OSError, match="No space left"):
        getattr(sample_comparison(), write)(path)
    assert path.read_text() == "good" and list(tmp_path.iterdir()) == [path]


def test_no_report_is_written_in_any_other_way():
    # the demo's files are samples, and a reader's are temporary
    places = [path for room in ("cli", "studies", "view", "evolve") for path in (SOURCES / room).rglob("*.py")]
    other = re.compile(r"write_text\(|open\(\"w|to_csv\(")
    assert [path.name for path in places if other.search(path.read_text("utf-8"))] == []
