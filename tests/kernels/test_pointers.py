"""A pointer in the kernels leads to one number or struct; as none is indexed, a checked build checks every index."""

import re
from pathlib import Path

import pytest

KERNELS = Path(__file__).parents[2] / "src" / "clearwood" / "kernels"
# C loops whose callers answer for the length
UNCHECKED = {
    "common/bit_words.pxd": "restrict pointers, which the compiler needs to use vector instructions",
    "common/square_sums.pxd": "the same",
}

POINTER = re.compile(r"\b\w+ ?\*+ ?(\w+)(?=[,)\s=])")
TYPES = "cdef const number double int32_t int64_t uint8_t uint64_t Sweep Before Candidate Gene Measures Dipole Crossing"
STATES_A_TYPE = re.compile(rf"\b({'|'.join(TYPES.split())}|RandomStream)\b")
FILES = [file for file in sorted(KERNELS.glob("*/*.p[yx][xd]")) if f"{file.parent.name}/{file.name}" not in UNCHECKED]


def code_of(file: Path) -> str:
    """A file without its comments and texts."""
    text = re.sub(r'""".*?"""', "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r"#.*", "", text)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_no_pointer_is_indexed(file):
    code = code_of(file)
    declared = {name for line in code.splitlines() if STATES_A_TYPE.search(line) for name in POINTER.findall(line)}
    for name in declared:
        indices = set(re.findall(rf"(?<![\w.]){name}\[([^\]]*)\]", code))
        assert indices <= {"0"}, f"{name}[{', '.join(indices - {'0'})}]"


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_nothing_is_counted_from_the_end(file):
    """``wraparound`` is off: what an index of -1 does then depends on the build, also for numpy's own arrays."""
    assert not re.findall(r"(?<=[\w)\]])\[-\d+\]", code_of(file))


def test_the_test_would_see_an_indexed_pointer(tmp_path):
    file = tmp_path / "kernel.pyx"
    file.write_text("cdef double total(const double* cells, int n) noexcept nogil:\n    return cells[n - 1]\n", "utf-8")
    with pytest.raises(AssertionError, match=r"cells\[n - 1\]"):
        test_no_pointer_is_indexed(file)
