"""Fresh process: a contestant measured by itself, so that nothing of the others is in its figures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any


def figures(module: str, *arguments: str) -> dict[str, Any]:
    """What ``python -m MODULE ARGUMENTS`` prints as JSON in its last line."""
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},  # the same build as here
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"measuring {arguments[-1]} failed: {done.stderr.strip()[-500:]}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found
