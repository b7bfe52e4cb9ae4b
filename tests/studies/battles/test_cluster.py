"""Schedulers that are none: whatever answers at an address, a study ends with one line."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from threading import Thread

import pytest

from emlia3d import study
from emlia3d.errors import Error
from emlia3d.studies.battles import cluster
from tests.needing import needs

pytestmark = needs("distributed")


@pytest.fixture(
    params=[b"", b"HTTP/1.1 400 Bad Request\r\nServer: another\r\n\r\n"], ids=["silent", "web"]
)
def another_server(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a server that accepts connections and then sends these bytes."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(request.param)
                while connection.recv(1024):
                    pass

        Thread(target=answer, daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"


def test_a_server_of_another_kind_is_refused(
    another_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT_S", 0.5)

    with pytest.raises(
        Error, match=rf"^{another_server}: no Dask scheduler answers there \(\w+\)$"
    ):
        study("duel", runs=1, turns=1, scheduler=another_server)
