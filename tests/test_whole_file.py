import errno
import os
import stat

import pytest

from clearwood.whole_file import check_writable, write_whole


def test_text_bytes_and_what_a_function_writes(tmp_path):
    path = tmp_path / "tree.json"
    for content in ("ü", b"\xc3\xbc", lambda file: file.write("ü".encode())):
        write_whole(path, content)
        assert path.read_bytes() == b"\xc3\xbc" and list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "tree.json"
    path.write_text("good")

    def full(handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
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
    from pathlib import Path

    write_whole(Path("/dev/null"), "anything")
    assert Path("/dev/null").is_char_device()
    check_writable(Path("/dev/null"))


def test_a_place_that_cannot_be_written_is_found_beforehand(tmp_path):
    from pathlib import Path

    check_writable(tmp_path / "new.json")
    assert list(tmp_path.iterdir()) == []
    for path in (tmp_path / "no" / "x.json", Path("/proc/x.json"), tmp_path):
        with pytest.raises(OSError):
            check_writable(path)
