"""Servers: a private PostgreSQL for tests, started from the machine's own binaries."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ABSENT = "PostgreSQL's server binaries are not installed (Debian: postgresql)"


def postgres_binaries() -> Path | None:
    """The folder with PostgreSQL's ``initdb`` and ``postgres``: on the PATH, pg_config's, or where Debian puts them."""
    folders = [Path(found).resolve().parent for found in [shutil.which("postgres")] if found]
    if shutil.which("pg_config"):
        told = subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True, check=False, timeout=20)
        folders.append(Path(told.stdout.strip() or "/nowhere"))
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_release, reverse=True)
    folders += [Path("/usr/local/pgsql/bin"), Path("/opt/homebrew/bin"), Path("/usr/local/bin")]
    return next((f for f in folders if (f / "initdb").exists() and (f / "postgres").exists()), None)


def _release(folder: Path) -> tuple[int, ...]:
    return tuple(int(part) for part in folder.parent.name.split(".") if part.isdigit())


@contextmanager
def postgres_server() -> Iterator[str]:
    """Run a PostgreSQL of its own, empty, on a socket in a temporary folder; gives the URI to connect to.

    The server refuses to run as root, so a test that is root runs it as ``postgres`` or ``nobody``. Without the
    binaries the test is skipped.
    """
    binaries = postgres_binaries()
    if binaries is None:
        pytest.skip(ABSENT)
    folder = Path(tempfile.mkdtemp(prefix="cw-pg-", dir="/tmp"))  # a socket's path may have 107 bytes only
    server = None
    try:
        become = _unprivileged(folder)
        data = folder / "data"
        subprocess.run(
            [binaries / "initdb", "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"],
            **become, cwd=folder, check=True, capture_output=True, timeout=120,
        )  # fmt: skip
        log = (folder / "log").open("wb")
        server = subprocess.Popen(
            [binaries / "postgres", "-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off",
             "-c", "max_connections=10", "-c", "shared_buffers=64MB", "-c", "jit=off"],
            **become, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        )  # fmt: skip
        log.close()
        _wait_for(server, folder)
        yield f"postgresql:///postgres?host={folder}&user=tester"
    finally:
        if server is not None and server.poll() is None:
            server.send_signal(signal.SIGINT)  # a fast stop: SIGTERM would wait for clients to leave
            try:
                server.wait(timeout=20)
            except subprocess.TimeoutExpired:
                server.send_signal(signal.SIGQUIT)
                server.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _unprivileged(folder: Path) -> dict[str, Any]:
    """How a root process starts a child as a user who may run PostgreSQL; that user gets the folder."""
    if os.getuid() != 0:
        return {}
    users = [user for user in pwd.getpwall() if user.pw_name in ("postgres", "nobody")]
    if not users:
        pytest.skip("PostgreSQL does not run as root, and there is neither a user postgres nor nobody")
    user = max(users, key=lambda user: user.pw_name)
    os.chown(folder, user.pw_uid, user.pw_gid)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _wait_for(server: subprocess.Popen[bytes], folder: Path) -> None:
    """Until the server takes connections: it writes ``ready`` on the last line of postmaster.pid."""
    ready = folder / "data" / "postmaster.pid"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and server.poll() is None:
        if ready.exists() and ready.read_text().rstrip().endswith("ready"):
            return
        time.sleep(0.05)
    raise RuntimeError("PostgreSQL did not start:\n" + (folder / "log").read_text(errors="replace")[-2000:])


@pytest.fixture(scope="session")
def postgres_uri() -> Iterator[str]:
    """The URI of a PostgreSQL that runs until the tests end."""
    with postgres_server() as uri:
        yield uri
