"""The bundle in the package is what the sources give."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from browser import EXPLORER

import clearwood.view.page.html as html


def node_modules():
    """What builds the bundle; the test skips where it is absent."""
    if shutil.which("node") is None:
        pytest.skip("Node is absent: the committed bundle is used as it is")
    if not (EXPLORER / "node_modules" / "vite").exists():
        pytest.skip("explorer/node_modules is absent: run make explorer")
    return EXPLORER / "node_modules"


def test_a_new_build_is_the_committed_one(tmp_path):
    vite = node_modules() / "vite" / "bin" / "vite.js"
    settings = os.environ | {"EXPLORER_OUT": str(tmp_path / "bundle"), "NODE_ENV": "production"}
    subprocess.run(
        ["node", str(vite), "build", "--logLevel", "warn"], cwd=EXPLORER, env=settings, check=True, timeout=300
    )
    for name in ("explorer.js", "explorer.css"):
        built = (tmp_path / "bundle" / name).read_text(encoding="utf-8")
        assert built == html.bundle(name), f"{name} is not what explorer/ gives; run make explorer and commit it"


@pytest.mark.parametrize("tool", [["typescript/bin/tsc", "--noEmit"], ["prettier/bin/prettier.cjs", "--check", "src"]])
def test_the_sources_are_sound(tool):
    command = ["node", str(node_modules() / tool[0]), *tool[1:]]
    done = subprocess.run(command, cwd=EXPLORER, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
