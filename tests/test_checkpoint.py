"""Checkpoints: whole files, refused when they belong elsewhere."""

import numpy as np
import pytest

from clearwood.checkpoint import Checkpoint, pack_generator, unpack_generator


def test_round_trip(tmp_path):
    file = Checkpoint(tmp_path / "a", "mine")
    assert file.load() is None
    file.save({"x": np.arange(3), "word": np.array("ä\n"), "format": np.array(1.5)})
    found = file.load()
    assert found["x"].tolist() == [0, 1, 2] and str(found["word"]) == "ä\n" and found["format"] == 1.5
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_other_data_is_refused(tmp_path):
    Checkpoint(tmp_path / "a", "mine").save({})
    with pytest.raises(ValueError, match=r"checkpoint=.*belongs to other data or other settings.*delete it"):
        Checkpoint(tmp_path / "a", "yours").load()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 broken", b"not a checkpoint at all", b"\x93NUMPY junk"])
def test_damaged_file_is_refused(tmp_path, content):
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(ValueError, match="delete it to start anew"):
        Checkpoint(tmp_path / "a", "mine").load()


def test_file_of_something_else_is_refused(tmp_path):
    np.savez(tmp_path / "a.npz", x=1)
    with pytest.raises(ValueError, match="not a search"):
        Checkpoint(tmp_path / "a.npz", "mine").load()


def test_pickles_are_never_loaded(tmp_path):
    np.savez(tmp_path / "a.npz", x=np.array([{}], dtype=object))
    with pytest.raises(ValueError, match="cannot be read"):
        Checkpoint(tmp_path / "a.npz", "mine").load()


def test_failed_save_leaves_the_old_file(tmp_path):
    file = Checkpoint(tmp_path / "a", "mine")
    file.save({"x": np.arange(3)})
    with pytest.raises(ValueError, match="pickle"):
        file.save({"x": np.array([object()])})
    assert file.load()["x"].tolist() == [0, 1, 2]
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_bad_places_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"the folder .* does not exist"):
        Checkpoint(tmp_path / "no" / "a", "mine")
    with pytest.raises(IsADirectoryError, match="is a folder"):
        Checkpoint(tmp_path, "mine")


@pytest.mark.parametrize("kind", ["PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"])
def test_generators_go_on_where_they_were(kind):
    rng = np.random.Generator(getattr(np.random, kind)(5))
    rng.integers(2**32, size=7, dtype=np.uint32)
    twin = unpack_generator(pack_generator(rng))
    assert rng.random(1000).tolist() == twin.random(1000).tolist()


def test_unknown_generator_is_refused():
    with pytest.raises(ValueError, match="must be one of"):
        unpack_generator(np.array('{"bit_generator": "os.system"}'))
