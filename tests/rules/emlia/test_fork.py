"""A fork of a battle is the same moment, and what happens in it stays in it."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.play.morale.leading import subjects_of
from emlia3d.rules.emlia.play.sight.awareness import known_to
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.contact import enemies_of, engaged_by, in_reach_of
from emlia3d.rules.emlia.play.situation.fights import fight_of
from emlia3d.rules.emlia.play.situation.footing import men_of
from emlia3d.rules.emlia.play.situation.going import going_of
from emlia3d.rules.emlia.play.situation.parts import on_field, parts_of
from emlia3d.rules.emlia.play.situation.prepared_notes import prepared_notes_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of
from emlia3d.scenario import load
from tests.rules.emlia.recomputed import recomputed

QUICK = ("bandits", "duel", "landing", "thieves")
OTHERS = ("castle", "cavemen", "crossroads", "cruisers", "fieldday", "ford", "remnants", "ridge")
BATTLES = [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)]


def derived(battle: Battle) -> dict[str, Any]:
    """Return what the rules derive from the state, by what it is."""
    situation, units, boxes = situation_of(battle), on_field(battle), whereabouts_of(battle)
    return {
        "parts": [parts_of(battle, unit) for unit in units],
        "outlines": [situation.outline(unit).wkb for unit in units],
        "footings": situation.footings[units].tolist(),
        "heights": situation.heights[units].tolist(),
        "corners": [column.tolist() for column in situation.corner_places()],
        "distances": [situation.distances(unit, units) for unit in units],
        "places": [boxes.boxes[units].tolist(), boxes.centres[units].tolist()],
        "rooms": boxes.rooms[units].tolist(),
        "engaged": [(engaged_by(battle, unit), in_reach_of(battle, unit)) for unit in units],
        "fights": [(fight_of(battle, unit), enemies_of(battle, unit)) for unit in units],
        "obstacles": [[shape.wkb for shape in men_of(battle, unit)] for unit in units],
        "going": [[shape.wkb for _, shape in going_of(battle, unit).slow] for unit in units],
        "barred": [[shape.wkb for shape in going_of(battle, unit).barred] for unit in units],
        "sight": sight_cache_of(battle).levels(np.array(units), np.array(units)).tolist(),
        "known": [known_to(battle, side) for side in range(len(battle.setup.sides))],
        "subjects": [subjects_of(battle, unit) for unit in units],
        "notes": prepared_notes_of(battle),
    }


@pytest.mark.long
@pytest.mark.parametrize("name", BATTLES)
def test_a_fork_derives_what_a_moment_without_derived_values_does(name: str) -> None:
    battle = load(name).battle(seed=1)
    events = battle.run()
    for _ in itertools.islice(events, 60):
        derived(battle)

    fork = battle.fork()
    assert derived(fork) == derived(recomputed(battle))
    for _ in itertools.islice(fork.run(), 40):
        derived(fork)
    assert derived(fork) == derived(recomputed(fork))
    assert derived(battle) == derived(recomputed(battle))


@pytest.mark.long
@pytest.mark.parametrize("name", BATTLES)
def test_playing_on_in_a_fork_leaves_the_original_alone(name: str) -> None:
    battle, alone = (load(name).battle(seed=1) for _ in range(2))
    events, others = battle.run(), alone.run()
    for _ in itertools.islice(zip(events, others, strict=True), 60):
        pass
    before = battle.state.key_frame(), battle.digest.hexdigest()

    fork = battle.fork()
    for _ in itertools.islice(fork.run(), 40):
        pass

    assert fork.state.key_frame() != before[0]
    assert (battle.state.key_frame(), battle.digest.hexdigest()) == before
    for event, other in itertools.islice(zip(events, others, strict=True), 40):
        assert event == other
    assert battle.digest.hexdigest() == alone.digest.hexdigest()
