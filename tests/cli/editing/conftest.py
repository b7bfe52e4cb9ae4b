"""The editor's window in an empty folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from emlia3d.scenario import load
from tests.cli.editing.edit_hand import EditHand, Open


@pytest.fixture
def open_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Open the editor in an empty folder."""
    monkeypatch.chdir(tmp_path)
    hands: list[EditHand] = []

    def opened(scenario: str | None = "my.toml", **wishes: Any) -> EditHand:
        hands.append(EditHand(scenario, **wishes))
        return hands[-1]

    yield opened
    for hand in hands:
        hand.app.close()


@pytest.fixture
def bandits(tmp_path: Path, open_window: Open) -> EditHand:
    """A copy of the bundled bandits, as a map."""
    (tmp_path / "bandits.toml").write_bytes(load("bandits").path.read_bytes())
    hand = open_window("bandits.toml")
    hand.look_down()
    return hand
