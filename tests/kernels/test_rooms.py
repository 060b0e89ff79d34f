"""Which rooms of the kernels may know which others, read from the sources."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KERNELS = ROOT / "src" / "clearwood" / "kernels"
DRAWING = runpy.run_path(str(ROOT / "docs" / "images" / "rooms.py"))

BELOW = {"common", "columns", "routing"}  # what every room may use
ALLOWED = {
    "common": set(),
    "columns": {"common"},
    "routing": {"common", "columns"},
    "greedy": BELOW,
    "subsets": BELOW | {"greedy"},  # a grower that remembers is a grower, and its pruner a pruner
    "pareto": BELOW,
    "linear": BELOW,
    "ism": BELOW,
    "oc1": BELOW,
    "distil": BELOW,
}
# Any further edge between two rooms goes here, with its reason.
EXCEPTIONS: dict[tuple[str, str], str] = {}

USED = DRAWING["edges"](KERNELS)


def test_every_folder_of_kernels_is_a_room():
    rooms = {file.parent.name for file in KERNELS.glob("*/*.p[yx][xd]")}
    assert rooms == set(ALLOWED)
    assert not list(KERNELS.glob("*.p[yx][xd]")), "a kernel lives in a room"


@pytest.mark.parametrize("room", ALLOWED)
def test_a_room_knows_only_the_rooms_below_it(room):
    strangers = {
        f"{room}/{file} uses {used}"
        for (user, used), files in USED.items()
        if user == room and used not in ALLOWED[room] and (user, used) not in EXCEPTIONS
        for file in files
    }
    assert not strangers, "say why in EXCEPTIONS, or move what is shared into common"


def test_every_exception_is_in_use_and_says_why():
    for edge, reason in EXCEPTIONS.items():
        assert edge in USED and len(reason) > 20


def test_no_room_is_used_by_a_way_that_this_test_does_not_read():
    """Only absolute imports: a relative one, or a module's bare name, would go unseen."""
    for file in [*KERNELS.glob("*/*.pyx"), *KERNELS.glob("*/*.pxd")]:
        for line in file.read_text(encoding="utf-8").splitlines():
            if re.match(r"\s*(from\s+\.|cimport\s+\.)", line) or re.match(
                r"\s*from\s+clearwood\.kernels\s+c?import", line
            ):
                pytest.fail(f"{file.parent.name}/{file.name}: {line}")


@pytest.mark.parametrize("room", ALLOWED)
def test_the_twins_rooms_keep_to_the_same_rule(room):
    for file in (KERNELS / "reference" / room).glob("*.py"):
        text = file.read_text(encoding="utf-8")
        used = set(re.findall(r"^from clearwood\.kernels\.reference\.(\w+)", text, re.MULTILINE)) - {room}
        compiled = set(re.findall(r"^from clearwood\.kernels\.(\w+)", text, re.MULTILINE)) - {"reference"}
        assert used <= ALLOWED[room], file.name
        assert compiled <= {"common"}, f"{file.name}: a twin shares no code with the kernels, only the codes"


@pytest.mark.parametrize("room", ALLOWED)
def test_every_kernel_of_a_room_is_built(room):
    """A module is built when the room's meson.build names it; one that is left out would be missed at import only."""
    named = re.search(r"kernels = \[(.*?)\]", (KERNELS / room / "meson.build").read_text(encoding="utf-8"), re.DOTALL)
    assert named is not None
    assert set(re.findall(r"'(\w+)'", named[1])) == {file.stem for file in (KERNELS / room).glob("*.pyx")}


def test_the_picture_has_an_arrow_for_every_edge():
    drawn = DRAWING["PICTURE"].read_text(encoding="utf-8")
    assert drawn == DRAWING["picture"](sorted(USED)), "run python docs/images/rooms.py"
