"""Nodes in a checkpoint come back as they were; arrays that hold no tree are refused."""

import numpy as np
import pytest
from awkward_tables import awkward_table
from scanned_tables import scan_of

import clearwood as cw
from clearwood.checkpoint import Checkpoint
from clearwood.learn.scanned import course
from clearwood.learn.scanned.stored import pack, unpack
from clearwood.stored_state import StoredState


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """What a fit has stored level by level, and the columns it was about."""
    kept = []
    monkeypatch.setattr(Checkpoint, "save", lambda self, state: kept.append(state))
    monkeypatch.setattr(course, "fingerprint", lambda *parts: "any")
    table = awkward_table(4)
    cw.C45Classifier(min_gap=0).fit(scan_of(table, tmp_path, in_memory=25, checkpoint=tmp_path / "levels.npz"))
    return kept, table


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_there_and_back(stored):
    kept, table = stored
    assert len(kept) > 2 and any(len(state["finished"]) for state in kept)
    for state in kept:
        again = pack(*unpack(StoredState(state), table.columns, len(table.classes)))
        assert again.keys() == state.keys()
        for name, array in state.items():
            np.testing.assert_array_equal(again[name], array, err_msg=name)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("damage", ["longer", "large", "negative", "gone"])
def test_other_arrays_are_refused(stored, damage):
    """Each array in turn: none is used unseen."""
    kept, table = stored
    harmless = {"threshold", "finished_threshold", "finished_errors", "limits"}  # any number may stand there
    for state in kept[1:]:
        for name, array in state.items():
            if not array.size or (name in harmless and damage in ("large", "negative")):
                continue
            changed = {key: value for key, value in state.items() if key != name}
            if damage == "longer":
                changed[name] = np.concatenate([array, array[:1]])
            elif damage != "gone":
                changed[name] = array.copy()
                changed[name].flat[-1] = -7 if damage == "negative" else 1
                if array.dtype.kind in "bf" or (changed[name] == array).all():
                    changed[name] = changed[name].astype(np.float64)
                    changed[name].flat[-1] = -7.0 if damage == "negative" else np.inf
            if damage == "large" and array.dtype.kind == "i":
                changed[name] = array.astype(np.int64)
                changed[name].flat[-1] = 2**62 + 1
            if name == "open" and damage == "longer":
                continue  # a node may be named twice: it would be looked at twice
            with pytest.raises(ValueError, match=r"(must|is missing)"):
                unpack(StoredState(changed), table.columns, len(table.classes))
