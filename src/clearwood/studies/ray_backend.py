"""Ray: joblib's backend for it, made to hand over each result when it comes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["ray_cluster", "ray_workers"]


@contextmanager
def ray_cluster(address: str | None, n_jobs: int) -> Iterator[int]:
    """A cluster at an address, or one on this machine; how many workers it has room for.

    A cluster that the program is connected to already is used, and stays.
    """
    import logging
    import os

    import ray

    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is sent anywhere unless the user wants it
    ours = not ray.is_initialized()
    if ours:
        options: dict[str, Any] = {"include_dashboard": False, "num_cpus": n_jobs} if address is None else {}
        try:
            ray.init(address=address or "local", log_to_driver=False, logging_level=logging.ERROR, **options)
        except (ConnectionError, ValueError, RuntimeError) as error:
            if address is None:
                raise
            raise ConnectionError(f"no Ray cluster answers at address {address!r} ({error}).") from error
    try:
        yield max(1, int(ray.cluster_resources().get("CPU", 1)))
    finally:
        if ours:
            ray.shutdown()


def ray_workers() -> Any:
    """Ray's backend for joblib."""
    from ray.util.joblib.ray_backend import RayBackend

    class Backend(RayBackend):
        """Results are ready when joblib is told of them, so it may hand them over at once."""

        supports_return_generator = True

    return Backend()
