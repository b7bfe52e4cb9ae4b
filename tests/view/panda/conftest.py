"""What draws the pictures that the tests look at, and a window with someone at it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.panda.app import App
from emlia3d.view.panda.display import Display, probe
from tests.view.panda.window_driver import Hand, opened


@pytest.fixture(params=["p3headlessgl", "p3tinydisplay"])
def display(request):
    """Each way of drawing without a window that this machine has."""
    found = probe(request.param, False)
    if not isinstance(found, Display):
        pytest.skip(f"{request.param} draws nothing here: {found.reason}")
    return found


@pytest.fixture
def app(setup: Setup, start: State, story: tuple[Event, ...]) -> Iterator[App]:
    app = opened(setup, start, story)
    app.step(0.0)
    yield app
    app.close()


@pytest.fixture
def hand(app: App) -> Hand:
    return Hand(app)
