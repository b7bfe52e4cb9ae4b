"""What a unit did last, on whose order and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.window.unit_history import Recorded
from emlia3d.view.window.viewer import Viewer
from tests.view.ruled import ruled

ORDERS = (
    (2, Order(verb="move", unit=0, why="goes nearer")),
    (3, Order(verb="aimed-fire", unit=0, target=1)),
    (5, Order(verb="done", unit=0)),
    (6, Order(verb="charge", unit=2, why="they are shaken")),
)


@pytest.fixture
def viewer(setup: Setup, start: State, story: tuple[Event, ...]) -> Viewer:
    rules = ruled(setup, is_aware=lambda unit, foe, state: foe == 1)
    return Viewer(setup, start, story, rules, record=Recorded(Path("q.battle.jsonl"), ORDERS))


def _deeds(viewer: Viewer, step: int, unit: int) -> dict[str, str]:
    viewer.playback.seek(step)
    viewer.selected = unit
    card = viewer.status().card
    assert card is not None
    return dict(card.deeds)


def test_the_last_deed_is_told_with_its_order_and_the_reason(viewer: Viewer) -> None:
    marched = _deeds(viewer, 3, 0)
    shot = _deeds(viewer, 5, 0)

    assert marched["last"] == ": marched"
    assert (marched["ordered to"], marched["why"]) == ("move", "goes nearer")
    assert shot["last"].startswith(": shot > bandits")
    assert shot["ordered to"] == "aimed fire"
    assert "why" not in shot


def test_an_order_is_told_of_when_something_has_come_of_it(viewer: Viewer) -> None:
    assert "ordered to" not in _deeds(viewer, 5, 2)
    assert _deeds(viewer, 6, 2)["why"] == "they are shaken"


def test_a_unit_that_has_done_nothing_yet_has_no_deeds(viewer: Viewer) -> None:
    assert _deeds(viewer, 2, 2) == {"knows of": "no enemy"}


def test_a_unit_knows_of_those_enemies_of_whom_it_is_aware(viewer: Viewer) -> None:
    assert _deeds(viewer, 2, 0)["knows of"] == "bandits"
    assert _deeds(viewer, 7, 0)["knows of"] == "no enemy", "the bandits have fled"


def test_in_fog_the_enemy_tells_neither_his_orders_nor_whom_he_knows_of(viewer: Viewer) -> None:
    viewer.course.look_through(0)

    own, foe = _deeds(viewer, 6, 0), _deeds(viewer, 6, 2)

    assert "knows of" in own
    assert not {"knows of", "ordered to", "why"} & set(foe)
