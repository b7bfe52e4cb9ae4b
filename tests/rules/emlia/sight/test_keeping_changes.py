"""What is kept of who sees whom is what would be found anew, whatever has changed meanwhile.

Not only who moves changes sight: features fall and are put up, units are mixed and parted, divided
and gone, lie down, climb, and lose men.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Belong, Change, Divide, Fall, Leave, Place, Set
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.spare_rows import empty_row_for
from emlia3d.force import Formation
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.sight.sight_cache import UNKNOWN, sight_cache_of
from emlia3d.rules.emlia.play.situation.parts import on_field
from tests.rules.emlia.recomputed import recomputed

Build = Callable[..., Battle]
Happening = Callable[[Battle, Random], list[Change]]

TERRAIN = [
    {"kind": "rock", "box": (14, 36, 30, 39), "height": 3},
    {"kind": "wall", "box": (34, 34, 50, 35), "height": 1},
    {"kind": "orchard", "box": (44, 42, 62, 52), "height": 3},
    {"kind": "hill", "box": (6, 6, 26, 30), "height": 4},
    {"kind": "building", "box": (54, 30, 60, 36), "height": 5},
    {"name": "rock on the hill", "kind": "rock", "box": (8, 24, 22, 27), "height": 1},
]
MEN = (6, 1, 6, 6)
"""Of the units of each side."""


def _units() -> list[dict[str, Any]]:
    """Four of each side, within a field that a few bodies fill."""
    formations = ("ranked", "open", "close", "close")
    return [
        {
            "at": (14 + 14 * place, 20 if side == "Alice" else 58), "side": side,
            "members": MEN[place], "files": min(3, MEN[place]), "formation": formations[place],
            "size": 1 + place % 2, "height": 1 + place % 2, "skills": {"leadership": "3"},
        }
        for side in ("Alice", "Bob")
        for place in range(4)
    ]  # fmt: skip


def _somebody(battle: Battle, chance: Random) -> int:
    return chance.choice(on_field(battle))


def _any_row(battle: Battle, chance: Random) -> int:
    """Parts of mixed units too."""
    return int(chance.choice(np.flatnonzero(battle.state.units.ints("present"))))


def _cell(column: str, unit: int, value: float) -> Set:
    return Set(table="unit", row=unit, column=column, value=value)


def _placed(battle: Battle, unit: int, chance: Random) -> Place:
    return Place(
        unit=unit, x=chance.randint(5, 70), y=chance.randint(5, 70),
        facing=chance.choice((0, 45, 180, 290)) * 64, formation=chance.choice(list(Formation)),
        files=chance.randint(1, 3),
    )  # fmt: skip


def moves(battle: Battle, chance: Random) -> list[Change]:
    return [_placed(battle, _any_row(battle, chance), chance)]


def forms_anew(battle: Battle, chance: Random) -> list[Change]:
    unit = _somebody(battle, chance)
    units, formation = battle.state.units, chance.choice(list(Formation))
    cells = {column: units.integer(column, unit) for column in ("facing", "files")}
    x, y = float(units.value("x", unit)), float(units.value("y", unit))
    return [Place(unit=unit, x=x, y=y, formation=formation, **cells)]


def falls_or_is_put_up(battle: Battle, chance: Random) -> list[Change]:
    row = chance.randrange(len(TERRAIN))
    stands = battle.state.features.integer("present", row)
    return [Set(table="feature", row=row, column="present", value=1 - stands)]


def lies_down_or_rises(battle: Battle, chance: Random) -> list[Change]:
    unit = _somebody(battle, chance)
    return [_cell("posture", unit, 1 - battle.state.units.integer("posture", unit))]


def takes_cover_or_leaves_it(battle: Battle, chance: Random) -> list[Change]:
    unit = _somebody(battle, chance)
    return [_cell("taking_cover", unit, 1 - battle.state.units.integer("taking_cover", unit))]


def climbs(battle: Battle, chance: Random) -> list[Change]:
    return [_cell("on_height", _somebody(battle, chance), chance.choice((0.0, 2.0, 6.5)))]


def loses_a_man(battle: Battle, chance: Random) -> list[Change]:
    unit = _any_row(battle, chance)
    men = battle.state.roster.standing(unit).tolist()
    return [Fall(unit=unit, figures=(chance.choice(men),))] if len(men) > 1 else []


def leaves(battle: Battle, chance: Random) -> list[Change]:
    unit = _somebody(battle, chance)
    return [Leave(unit=unit)] if unit not in _mixed(battle) else []


def joins(battle: Battle, chance: Random) -> list[Change]:
    side = battle.state.units.ints("side")
    one = _somebody(battle, chance)
    others = [
        unit
        for unit in set(on_field(battle)) - _mixed(battle) - {one}
        if side[unit] == side[one] and one not in _mixed(battle)
    ]
    return [Belong(unit=chance.choice(sorted(others)), parent=one)] if others else []


def parts(battle: Battle, chance: Random) -> list[Change]:
    below = np.flatnonzero(battle.state.units.ints("parent") >= 0).tolist()
    return [Belong(unit=chance.choice(below), parent=-1)] if below else []


def divides(battle: Battle, chance: Random) -> list[Change]:
    unit = _somebody(battle, chance)
    men, new = battle.state.roster.standing(unit).tolist(), empty_row_for(battle, unit)
    if new is None or len(men) < 2 or unit in _mixed(battle):
        return []
    going = tuple(men[len(men) // 2 :])
    return [
        Divide(unit=unit, part=new, figures=going),
        _placed(battle, unit, chance),
        _placed(battle, new, chance),
    ]


HAPPENINGS: tuple[Happening, ...] = (
    moves, forms_anew, falls_or_is_put_up, lies_down_or_rises, takes_cover_or_leaves_it, climbs,
    loses_a_man, leaves, joins, parts, divides,
)  # fmt: skip


def _mixed(battle: Battle) -> set[int]:
    """The heads of mixed units."""
    below = battle.state.units.ints("parent")
    return set(below[below >= 0].tolist())


def is_as_found_anew(battle: Battle) -> bool:
    """Whether what is kept of all units on the field is what a battle finds that kept nothing."""
    units = np.array(on_field(battle))
    sight_cache, anew = sight_cache_of(battle), sight_cache_of(recomputed(battle))
    kept, found = sight_cache.so_far(units, units), anew.levels(units, units)
    known = kept != UNKNOWN
    one, other = units[np.argwhere(known)].T
    alike = sight_cache.least_of_members(one, other) == anew.least_of_members(one, other)
    return bool((kept == found)[known].all() and alike.all())


def history(build: Build, seed: int, steps: int) -> Iterator[Battle]:
    """A battle after each of some happenings by chance, where a part of what is asked is asked."""
    chance = Random(f"history {seed}")
    elevation_m = np.random.default_rng(seed).random((8, 8)) * 3 if seed % 2 else None
    battle = build(*_units(), size=(80, 80), terrain=TERRAIN, elevation_m=elevation_m)
    for _ in range(steps):
        units = on_field(battle)
        sight_cache_of(battle).look(chance.sample(units, 3), chance.sample(units, 4))
        changes = chance.choice(HAPPENINGS)(battle, chance)
        battle.happen(Event(facts=Unread(event="test"), changes=tuple(changes)))
        if len(on_field(battle)) < 5:
            return
        yield battle


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_whatever_happens_all_that_is_kept_is_what_is_found_anew(
    field_of_battle: Build, seed: int
) -> None:
    for battle in history(field_of_battle, seed, 20):
        assert is_as_found_anew(battle)


@pytest.mark.parametrize("seed", range(12, 20))
def test_whatever_happens_a_side_is_told_what_it_would_find_itself(
    field_of_battle: Build, seed: int
) -> None:
    for step, battle in enumerate(history(field_of_battle, seed, 20)):
        assert is_as_found_anew(SYSTEM.picture(battle, step // 2 % 2).battle)


@pytest.mark.parametrize("seed", range(20, 24))
def test_whatever_happens_a_sight_is_explained_as_it_is_now(
    field_of_battle: Build, seed: int
) -> None:
    chance = Random(f"pairs {seed}")
    for battle in history(field_of_battle, seed, 12):
        anew = recomputed(battle)
        for one, other in (chance.sample(on_field(battle), 2) for _ in range(3)):
            assert sight_cache_of(battle).account(one, other) == sight_cache_of(anew).account(
                one, other
            )


def test_what_hides_two_is_told_to_a_side_with_their_level(field_of_battle: Build) -> None:
    men = {"members": 1, "height": 1}
    battle = field_of_battle(
        {"at": (50, 20), **men},
        {"at": (70, 40), "members": 20, "files": 10, "formation": "ranked", "height": 3},
        {"at": (90, 60), **men},
        {"at": (50, 60), "side": "Bob", **men},
        terrain=[{"kind": "rock", "box": (45, 38, 55, 42), "height": 9}],
    )
    known = SYSTEM.picture(battle, 0).battle
    assert sight_cache_of(known).level(0, 3) is Level.TOTAL  # by the rock

    _stand_at(battle, 0, 30, 60)
    _stand_at(battle, 1, 40, 60, facing=90)
    assert sight_cache_of(battle).level(0, 3) is Level.TOTAL  # by the men between
    known = SYSTEM.picture(battle, 0).battle
    assert sight_cache_of(known).so_far([0], [3])[0, 0] == Level.TOTAL
    _stand_at(battle, 1, 90, 90)

    known = SYSTEM.picture(battle, 0).battle
    assert sight_cache_of(known).level(0, 3) is Level.NONE


def _stand_at(battle: Battle, unit: int, x: float, y: float, facing: int = 0) -> None:
    units = battle.state.units
    there = Place(
        unit=unit, x=x, y=y, facing=facing * 64,
        formation=units.integer("formation", unit), files=units.integer("files", unit),
    )  # fmt: skip
    battle.happen(Event(facts=Unread(event="test"), changes=(there,)))
