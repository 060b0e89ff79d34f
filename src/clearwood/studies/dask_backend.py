"""Dask: joblib's backend for it, made to notice when a task is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

__all__ = ["dask_client", "dask_workers"]

_PATIENCE = 60  # seconds to wait for the first worker


@contextmanager
def dask_client(address: str | None, n_jobs: int) -> Iterator[Any]:
    """A client of the scheduler at an address, or of a cluster of processes on this machine."""
    import logging

    from distributed import Client, LocalCluster

    with ExitStack() as stack:
        if address is None:
            cluster = LocalCluster(
                n_workers=n_jobs,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
            )
            target = stack.enter_context(cluster)
        else:
            target = address
        try:
            client = stack.enter_context(Client(target, timeout=_PATIENCE))
        except (OSError, TimeoutError, ValueError) as error:
            raise ConnectionError(f"no Dask scheduler answers at address {address!r} ({error}).") from error
        yield client


def dask_workers(client: Any, tables: Sequence[Any]) -> Any:
    """joblib's Dask backend with the tables sent to the workers once."""
    from joblib._dask import DaskDistributedBackend

    class Backend(DaskDistributedBackend):
        """joblib's own one never hears of a task whose worker died too often, and would wait for it for ever."""

        def effective_n_jobs(self, n_jobs: int) -> int:
            return max(2, super().effective_n_jobs(n_jobs))  # with a single worker joblib would do the work itself

        def submit(self, func: Any, callback: Callable[[Any], None] | None = None) -> Any:
            future = super().submit(func, callback)

            def tell(ended: Any) -> None:
                if callback is not None and ended.exception() is not None:
                    callback(ended.exception())

            future.add_done_callback(tell)
            return future

        def retrieve_result_callback(self, out: Any) -> Any:
            if isinstance(out, BaseException):
                raise out
            return super().retrieve_result_callback(out)

    client.wait_for_workers(1, timeout=_PATIENCE)
    return Backend(client=client, scatter=list(tables), wait_for_workers_timeout=_PATIENCE)
