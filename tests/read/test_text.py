"""Text files: what is no text is named before any parser sees it."""

import gzip

import pytest

from clearwood.read.text import MAX_LINE_BYTES, check_text, read_text, split_lines

BROKEN = [
    (b"", "t.txt is empty"),
    (b"\xef\xbb\xbf \r\n", "t.txt is empty"),
    ("größe\n".encode("utf-16"), "t.txt is UTF-16 text; convert the file to UTF-8"),
    (gzip.compress(b"a\n"), "t.txt is gzip-compressed; give its name the ending .gz"),
    (b"a\0b\n", "t.txt is a binary file"),
    (b"a\nb\n\xe9\n", "t.txt, line 3: not UTF-8 text"),
    (b"a\n" + b"b" * MAX_LINE_BYTES + b"b\n", r"t.txt has a line longer than 16 MiB \(from byte 2\)"),
]


@pytest.mark.parametrize(("content", "message"), BROKEN, ids=[message[:20] for _, message in BROKEN])
def test_what_is_no_text_is_named(tmp_path, content, message):
    path = tmp_path / "t.txt"
    path.write_bytes(content)
    for look in (read_text, check_text):
        with pytest.raises(ValueError, match=message):
            look(path)


def test_faults_beyond_the_first_look_are_found_by_line(tmp_path):
    path, start = tmp_path / "t.txt", b"abc\n" * 20_000
    path.write_bytes(start + b"\0\n")
    with pytest.raises(ValueError, match=r"t\.txt, line 20001: a NUL byte"):
        read_text(path)
    path.write_bytes(start + b"\xe9\n")
    with pytest.raises(ValueError, match=r"t\.txt, line 20001: not UTF-8 text"):
        read_text(path)


@pytest.mark.parametrize("size", [64 * 2**10 - 1, 64 * 2**10, 64 * 2**10 + 1])
def test_a_character_across_the_end_of_the_first_look_is_no_fault(tmp_path, size):
    path = tmp_path / "t.txt"
    path.write_bytes(b"a" * (size - 1) + "é".encode() + b"\n")
    check_text(path)
    assert read_text(path).endswith("aé\n")


def test_lines_of_the_greatest_length_are_read(tmp_path):
    path = tmp_path / "t.txt"
    line = b"b" * (MAX_LINE_BYTES - 1) + b"\n"
    path.write_bytes(line + line)
    check_text(path)
    path.write_bytes(line.replace(b"\n", b"\r") + line)
    check_text(path)
    path.write_bytes(b"a\n" + b"b" * MAX_LINE_BYTES)  # the last line needs no end
    check_text(path)


@pytest.mark.parametrize("ending", [".txt", ".txt.gz"])
def test_byte_order_mark_and_line_ends_are_taken_off(tmp_path, ending):
    path = tmp_path / f"t{ending}"
    content = b"\xef\xbb\xbfa\r\nb\rc\nd"
    path.write_bytes(gzip.compress(content) if ending.endswith("gz") else content)
    check_text(path)
    assert split_lines(read_text(path)) == ["a", "b", "c", "d"]


def test_a_compressed_file_that_is_cut_short_or_none(tmp_path):
    path = tmp_path / "t.txt.gz"
    for content in (gzip.compress(b"abc\n" * 1000)[:-9], b"abc\n"):
        path.write_bytes(content)
        for look in (read_text, check_text):
            with pytest.raises(ValueError, match=r"t\.txt\.gz is cut short or is no gzip file"):
                look(path)


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("clearwood.read.text.MAX_UNPACKED_BYTES", 1000)
    path = tmp_path / "bomb.arff.gz"
    path.write_bytes(gzip.compress(b"% nothing\n" * 200))
    with pytest.raises(ValueError, match="unpacks to more than"):
        read_text(path)
