"""ARFF files: agreement with SciPy's reader, with the data folder's own table, and on awkward files of our own."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import numpy as np
import pytest
from counted_work import calls
from plain_cells import cells

from clearwood.read import datasets, read

GENERATED = Path(__file__).parents[1] / "golden" / "generated"


def shared_files() -> list[Path]:
    for folder in datasets.folders():
        if (folder / "README.md").is_file() and (folder / "anneal.ORIG.arff").is_file():
            return sorted(folder.glob("*.arff"))
    return []


FILES = shared_files()
needs_data = pytest.mark.skipif(
    not FILES, reason="the papers' data sets are absent; set CLEARWOOD_DATA to their folder"
)


def write(folder: Path, text: str | bytes, name: str = "t.arff") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


# -- real files -------------------------------------------------------------------------------------


def documented() -> dict[str, tuple[int, ...]]:
    """By file: rows, nominal, numeric, classes used and declared, missing cells, rows with one, as the README says."""
    found = {}
    for line in (FILES[0].parent / "README.md").read_text().splitlines():
        parts = [part.strip() for part in line.strip("|").split("|")]
        name = re.match(r"`(.+)\.arff`", parts[0])
        if name and len(parts) > 5:
            features = re.fullmatch(r"(\d+) \((\d+)/(\d+)\)", parts[2])
            classes = re.fullmatch(r"(\d+)(?: \((\d+) declared\))?", parts[3])
            missing = re.fullmatch(r"(\d+) \((\d+)\)", parts[4])
            assert features and classes and missing
            nominal, numeric = int(features[2]), int(features[3])
            assert nominal + numeric == int(features[1])
            used, declared = int(classes[1]), int(classes[2] or classes[1])
            found[name[1]] = (int(parts[1]), nominal, numeric, used, declared, int(missing[1]), int(missing[2]))
    return found


@needs_data
def test_every_file_is_documented() -> None:
    assert len(FILES) == 48
    assert sorted(documented()) == sorted(file.name.removesuffix(".arff") for file in FILES)


@needs_data
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_counts_agree_with_the_readme(file: Path) -> None:
    table = read(file)
    gaps = np.vstack([np.isnan(table.numeric), table.nominal < 0])
    counts = (
        table.n_rows, len(table.nominal), len(table.numeric), len(np.unique(table.y)), len(table.classes),
        int(gaps.sum()), int(gaps.any(axis=0).sum()),
    )  # fmt: skip
    assert counts == documented()[table.name]
    assert (table.y >= 0).all() and (table.weights == 1).all()


@needs_data
@pytest.mark.parametrize("file", [f for f in FILES if f.name != "primary-tumor.arff"], ids=lambda file: file.name)
def test_cells_agree_with_scipy(file: Path) -> None:
    from scipy.io import arff

    data, meta = arff.loadarff(str(file))
    table = read(file, target=False)
    assert len(data) == table.n_rows
    for i, (name, column) in enumerate(zip(meta.names(), table.columns, strict=True)):
        kind, declared = meta[name]
        assert (kind == "nominal") == column.is_nominal
        if column.values is None:
            np.testing.assert_array_equal(data[name], table.column(i))
        else:
            declared = [value.strip("'\"") for value in declared]
            assert tuple(declared) == column.values
            texts = np.array([*column.values, "?"])[table.column(i)]
            assert [cell.decode().strip("'\"") for cell in data[name]] == texts.tolist()


@pytest.mark.skipif(not GENERATED.is_dir(), reason="the generated tables are not in this checkout")
def test_generated_tables_load() -> None:
    files = sorted(GENERATED.glob("*.arff"))
    assert len(files) == 40
    weighted = []
    for file in files:
        table = read(file)
        text = file.read_text("utf-8")
        rows = text[re.search("(?im)^@data.*\n", text).end() :].split("\n")  # type: ignore[union-attr]
        assert table.n_rows == sum(bool(row) for row in rows)
        assert table.n_features + 1 == len(re.findall("(?im)^@attribute", text))
        if not (table.weights == 1).all():
            weighted.append(file)
            last = [float(re.search(r"\{(.*)\}$", row)[1]) if row.endswith("}") else 1.0 for row in rows if row]  # type: ignore[index]
            assert table.weights.tolist() == last
    assert len(weighted) == 8


@needs_data
def test_letter_is_read_line_by_line_and_not_cell_by_cell() -> None:
    letter = next(file for file in FILES if file.name == "letter.arff")
    assert calls(lambda: read(letter)) < 5 * 20_000  # it has 20,000 lines of 17 cells


# -- the format in full -----------------------------------------------------------------------------

AWKWARD = r"""%  a comment
   % another, indented
@RELATION 'an odd \'name\''

@Attribute 'first name'   NUMERIC   % a comment after the type
@attribute "double \"quoted\"" {'a b', "it's", 'it\'s two', plain, '?', 'x,y', 'br{ace}', '50\%', 'tab\there', '\u00e9'}
@ATTRIBUTE when DATE "yyyy-MM-dd HH:mm"
@attribute third{one,two,three}
@attribute class {no , 'yes please'}
@DATA
% rows
1,'a b',"1970-01-02 00:00",one,no
 -2.5e3 ,	"it's" , '1970-01-01 00:01',	two,'yes please', {2.5}
?,?,?,?,?

3,'?',?,three,no   % a comment at the end
4,'x,y',?,one,no,
5 'br{ace}' ? two no
6,'50\%',?,one,no
7,'tab\there',?,one,no
8,é,?,one,no
9,'it\'s two',?,one,no
{}
{0 7, 1 plain, 4 'yes please'}, {0.5}
{2 ?,3 two}
{ 1 '?' }
"""


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_awkward_file(tmp_path: Path, ending: str, mark: str) -> None:
    table = read(write(tmp_path, (mark + AWKWARD).replace("\n", ending)))
    assert table.feature_names == ("first name", 'double "quoted"', "when", "third")
    values = ("a b", "it's", "it's two", "plain", "?", "x,y", "br{ace}", "50%", "tab\there", "é")
    assert table.columns[1].values == values
    assert cells(table, "first name") == [1, -2500, None, 3, 4, 5, 6, 7, 8, 9, 0, 7, 0, 0]
    expected = [
        "a b",
        "it's",
        None,
        "?",
        "x,y",
        "br{ace}",
        "50%",
        "tab\there",
        "é",
        "it's two",
        "a b",
        "plain",
        "a b",
        "?",
    ]
    assert cells(table, 'double "quoted"') == expected
    assert cells(table, "when") == [86_400_000, 60_000, *[None] * 8, 0, 0, None, 0]
    assert cells(table, "third") == [
        "one", "two", None, "three", "one", "two", "one", "one", "one", "one", "one", "one", "two", "one",
    ]  # fmt: skip
    assert table.classes == ("no", "yes please")
    assert table.y.tolist() == [0, 1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]
    assert table.weights.tolist() == [1, 2.5, *[1] * 9, 0.5, 1, 1]


def test_compressed_file(tmp_path: Path) -> None:
    packed = gzip.compress(AWKWARD.encode())
    assert read(write(tmp_path, packed, "t.arff.gz")).name == "t"
    with pytest.raises(ValueError, match="cut short"):
        read(write(tmp_path, packed[:-30], "t.arff.gz"))
    with pytest.raises(ValueError, match=r"\.gz"):
        read(write(tmp_path, packed))


HEAD = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@attribute c {no,yes}\n@data\n"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("1,x,no\n2,y\n", r"t\.arff, line 7: 2 cells for 3 attributes"),
        ("1,x,no,4\n", "line 6: 4 cells for 3"),
        ("1,x,no\n2,z,no\n", "line 7: attribute 'b': the value 'z' is not declared; declared are 'x', 'y'"),
        ("% c\n\n1,x,no\n\n2,y,maybe\n", "line 10: attribute 'c': the value 'maybe'"),
        ("1,x,no\none,y,no\n", "line 7: attribute 'a': 'one' is no number"),
        ("1_000,x,no\n", "line 6: attribute 'a': '1_000' is no number"),
        ("1,x,no\n1e999,x,no\n", "line 7: attribute 'a': '1e999' is not finite"),
        ("-inf,x,no\n", "line 6: attribute 'a': '-inf' is not finite"),
        ("1,'x,no\n", "line 6: a quote is opened"),
        ("1,,no\n", "line 6.*''"),
        ("1,'x',\n", "line 6: 2 cells"),
        (",'x',no\n", "line 6: cell 1 is empty"),
        ("1,x,NA\n", "line 6.*'NA'"),
        ("{0 1, 5 x}\n", "line 6: index '5' in a sparse row is not one of 0 to 2"),
        ("{0 1, 0 2}\n", "line 6: index 0 occurs twice"),
        ("{0 1, 1}\n", "line 6: a sparse row must hold pairs"),
        ("{0 1, 1 x\n", "line 6: a sparse row is not closed"),
        ("1,x,no,{-2}\n", "line 6: a row weight must be finite and not negative, got -2"),
        ("1,x,no,{a}\n", "line 6: a row weight"),
        ("1,x,no,{1} 5\n", "line 6: a row weight must be one number"),
        ("1,x,no}\n", "line 6: '}' without"),
    ],
)
def test_bad_rows_are_named_by_line(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(write(tmp_path, HEAD + body))


def test_line_numbers_hold_in_later_blocks(tmp_path: Path) -> None:
    body = "% c\n1,x,no\n" * 10_000 + "2,w,no\n"
    with pytest.raises(ValueError, match="line 20006: attribute 'b': the value 'w'"):
        read(write(tmp_path, HEAD + body))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("hello\n", "line 1: @relation, @attribute or @data was expected, found 'hello'"),
        ("@relation r\n@attribute a numeric\n", "no @data line; the file is cut short"),
        ("@relation r\n@data\n1\n", "line 2: @data, but no @attribute"),
        ("@relation r\n@attribute a\n@data\n", "line 2: attribute 'a' lacks a type"),
        ("@relation r\n@attribute\n@data\n", "line 2: @attribute lacks a name"),
        ("@relation r\n@attribute a nominal\n@data\n", "line 2: attribute 'a' has the unknown type 'nominal'"),
        ("@relation r\n@attribute a {x,\ny}\n@data\n", "line 2: the values of attribute 'a' are not closed"),
        ("@relation r\n@attribute a {x,y,x}\n@data\n", "line 2: attribute 'a' declares the value 'x' twice"),
        ("@relation r\n@attribute a real\n@attribute a real\n@data\n", "more than one column named 'a'"),
        (
            "@relation r\n@attribute note string\n@data\n",
            r"line 2: attribute 'note' is of type string.*ignore=\['note'\]",
        ),
        ("@relation r\n@attribute bag relational\n@data\n", "line 2: attribute 'bag' is of type relational"),
        ("@relation r\n@attribute 'a b\n@data\n", "line 2: a quote is opened"),
        ("@relation r\n@attribute a date 'QQ'\n@data\n", "line 2: attribute 'a': the date format 'QQ'"),
        ("@relation r\n@attribute a numeric extra\n@data\n", "line 2: attribute 'a': 'extra' after the type"),
        (b"@relation r\n@attribute caf\xe9 real\n", "line 2: not UTF-8"),
        (b"@relation r\n\0\0\n", "binary"),
        ("@relation r\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_bad_headers_are_explained(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(write(tmp_path, text))


def test_text_attributes_can_be_ignored(tmp_path: Path) -> None:
    text = (
        "@relation r\n@attribute note string\n@attribute bag relational\n  @attribute inner numeric\n@end bag\n"
        "@attribute a numeric\n@attribute c {no,yes}\n@data\n'hi, there','1\\n2',3,yes\n"
    )
    table = read(write(tmp_path, text), ignore=["note", "bag"])
    assert table.feature_names == ("a",) and cells(table, "a") == [3] and table.y.tolist() == [1]


def test_attribute_weights_are_left_out_with_a_warning(tmp_path: Path) -> None:
    text = "@relation r\n@attribute a numeric {2}\n@attribute c {no,yes}\n@data\n1,no\n"
    with pytest.warns(UserWarning, match="'a' has the weight 2"):
        assert read(write(tmp_path, text)).n_rows == 1


def test_one_attribute_only(tmp_path: Path) -> None:
    table = read(write(tmp_path, "@relation r\n@attribute a numeric\n@data\n1\n\n  \n?\n{}\n"), target=False)
    assert cells(table, "a") == [1, None, 0]


def test_rows_may_be_none(tmp_path: Path) -> None:
    table = read(write(tmp_path, HEAD))
    assert table.n_rows == 0 and table.classes == ("no", "yes")


def test_own_missing_markers(tmp_path: Path) -> None:
    text = HEAD.replace("{x,y}", "{x,y,NA}") + "-9,NA,no\n1,x,NA\n"
    table = read(write(tmp_path, text), missing=["-9", "NA"])
    assert cells(table, "b") == ["NA", "x"]  # a declared value stays a value
    assert table.y.tolist() == [0, -1]
    assert cells(table, "a") == [-9, 1]  # and a number stays a number


def test_numeric_target_of_whole_numbers_becomes_nominal(tmp_path: Path) -> None:
    head = "@relation r\n@attribute a numeric\n@attribute c numeric\n@data\n"
    table = read(write(tmp_path, head + "1,10\n2,9\n3,?\n4,-0.0\n"))
    assert table.classes == ("0", "9", "10") and table.y.tolist() == [2, 1, -1, 0]
    with pytest.raises(ValueError, match=r"target 'c' is numeric \(row 2 holds 0\.5\)"):
        read(write(tmp_path, head + "1,10\n2,0.5\n"))
