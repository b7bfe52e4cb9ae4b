"""Chapter 20 as play: hidden units that show themselves on their way are spotted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.sight.awareness import is_aware, watched
from emlia3d.rules.emlia.play.sight.sight_cache import level_on
from emlia3d.rules.emlia.play.situation.pose import gone, pose_of
from tests.rules.emlia.free_actions.sneaking import SCOUT, SNEAK

Build = Callable[..., Battle]
Play = Callable[..., list[Event]]

HIDDEN: dict[str, Any] = {**SNEAK, "states": ["concealed"]}
FIRST = {"kind": "hedge", "box": (85, 78, 103, 80)}
SECOND = {"kind": "hedge", "box": (113, 78, 150, 80)}
BETWEEN = {"kind": "hedge", "box": (103, 78, 113, 80)}


def walk(battle: Battle, play: Play, unit: int, facing: int, distance: float) -> list[Event]:
    """One move of a unit, straight on."""
    end = gone(pose_of(battle, unit), facing * 64, distance)

    def stretch() -> Any:
        yield Event(facts=Unread(event="walked"), unit=unit, changes=end.changes(unit))

    return play(battle, watched(battle, stretch()))


@pytest.mark.rule("emlia.aware.auto-spot")
def test_who_crosses_a_gap_between_two_hedges_is_spotted_on_its_way(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(SCOUT, HIDDEN, terrain=[FIRST, SECOND])
    before = level_on(battle, 0, 1), is_aware(battle, 0, 1)

    events = walk(battle, play, 1, facing=90, distance=60)

    assert before == (Level.PARTIAL, False)
    assert level_on(battle, 0, 1) is Level.PARTIAL, "it ends behind the second hedge"
    assert [event.name for event in events] == ["walked", "spotted"]
    assert events[-1].because == ("emlia.aware.auto-spot",)
    assert events[-1].facts.by == ("unit 0",)
    assert events[-1].part_of_last, "moves that are made at once stay one step"
    assert is_aware(battle, 0, 1)


@pytest.mark.rule("emlia.aware.auto-spot")
def test_who_stays_behind_cover_all_the_way_is_not_spotted(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(SCOUT, HIDDEN, terrain=[FIRST, BETWEEN, SECOND])

    events = walk(battle, play, 1, facing=90, distance=60)

    assert [event.name for event in events] == ["walked"]
    assert not is_aware(battle, 0, 1)


@pytest.mark.rule("emlia.aware.auto-spot")
def test_only_who_looks_through_the_gap_spots_one_who_crosses_it(
    field_of_battle: Build, play: Play
) -> None:
    screened = {"at": (30, 70)}
    screen = {"kind": "hedge", "box": (35, 40, 37, 160)}
    battle = field_of_battle(SCOUT, HIDDEN, screened, terrain=[FIRST, SECOND, screen])

    events = walk(battle, play, 1, facing=90, distance=60)

    assert events[-1].facts.by == ("unit 0",)
    assert [is_aware(battle, unit, 1) for unit in (0, 2)] == [True, False]


@pytest.mark.rule("emlia.aware.auto-spot")
def test_who_passes_a_gap_sees_the_enemy_who_hides_behind_it(
    field_of_battle: Build, play: Play
) -> None:
    """The observer goes from before the first hedge to before the second."""
    hiding = {**HIDDEN, "at": (125, 100)}
    first = {"kind": "hedge", "box": (60, 78, 117, 80)}
    second = {"kind": "hedge", "box": (133, 78, 190, 80)}
    battle = field_of_battle({**SCOUT, "at": (80, 60)}, hiding, terrain=[first, second])
    before = is_aware(battle, 0, 1)

    events = walk(battle, play, 0, facing=90, distance=90)

    assert not before
    assert level_on(battle, 0, 1) is Level.PARTIAL
    assert (events[-1].name, events[-1].unit) == ("spotted", 1)
    assert is_aware(battle, 0, 1)
