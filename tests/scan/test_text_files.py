"""Text files that a pattern names are one table, whatever their separators and line ends."""

import pytest

import clearwood as cw


def test_a_pattern_names_files_that_are_written_otherwise(tmp_path):
    (tmp_path / "part1.csv").write_text("x,v,class\n1,true,a\n2,false,b\n")
    (tmp_path / "part2.csv").write_bytes(b"\r\nx;v;class\r\n03;TRUE;a\r\n;?;b\r\n")
    (tmp_path / "part3.csv").write_bytes(b"x\tv\tclass\n4\ttrue \tb\n")
    rows = cw.scan(tmp_path / "part*.csv").sample(9)
    assert [column.values for column in rows.columns] == [None, ("false", "true")]
    assert sorted(zip(rows.column("x").tolist()[:3], rows.column("v").tolist()[:3], strict=True)) == [
        (1.0, 1),
        (2.0, 0),
        (3.0, 1),
    ]
    assert sorted(rows.column("v").tolist()) == [-1, 0, 1, 1, 1]


def test_files_of_other_columns_are_refused(tmp_path):
    (tmp_path / "part1.csv").write_text("x,class\n1,a\n")
    (tmp_path / "part2.csv").write_text("z,class\n1,a\n")
    with pytest.raises(ValueError, match=r"part2.csv has the columns 'z', 'class', but part1.csv has 'x', 'class'"):
        cw.scan(tmp_path / "part*.csv")
    with pytest.raises(FileNotFoundError, match=r"no file .*nothing\*.csv"):
        cw.scan(tmp_path / "nothing*.csv")


def test_folders_of_a_pattern_are_columns(tmp_path):
    for year in (2020, 2021):
        (tmp_path / f"year={year}").mkdir()
        (tmp_path / f"year={year}" / "rows.csv").write_text("x,class\n1,a\n2,b\n")
    scan = cw.scan(tmp_path / "*" / "rows.csv", target="class")
    assert scan.feature_names == ("x", "year")
    assert sorted(scan.sample(4).column("year").tolist()) == [2020, 2020, 2021, 2021]
    one = tmp_path / "year=2020" / "rows.csv"
    assert cw.scan(one).columns == cw.read(one).columns


def test_a_name_with_signs_of_patterns(tmp_path):
    file = tmp_path / "rows [1].csv"
    file.write_text("x,class\n1,a\n2,b\n")
    assert cw.scan(file).n_rows == 2


def test_a_mark_before_names_of_several_lines(tmp_path):
    file = tmp_path / "rows.csv"
    file.write_bytes(b'\xef\xbb\xbf"a\nb",class\n1,a\n2,b\n')
    with pytest.raises(ValueError, match="write the names in one line"):
        cw.scan(file)
