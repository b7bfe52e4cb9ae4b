"""Entries of unit sets at the limits of each key, kinds of terrain, and the first state."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from emlia3d.errors import ScenarioError
from emlia3d.rules.runolfsson import SYSTEM
from emlia3d.rules.runolfsson.commander.doctrine import DOCTRINE
from emlia3d.rules.runolfsson.commander.trials import SEARCH
from emlia3d.rules.runolfsson.terrain import BOOK, MOVEMENT, OWN
from emlia3d.rules.runolfsson.unit_set import Entry, GameTable
from tests.rules.runolfsson.tables import table

USUAL: dict[str, Any] = {"name": "x", "move": 6, "attack": 1, "save": 1}

LIMITS: dict[str, tuple[float, float | None, float]] = {
    "base": (0.25, 6.0, 0.01),
    "move": (0.0, 48.0, 0.1),
    "attack": (0, 20, 1),
    "save": (0, 20, 1),
    "hits": (1, 20, 1),
    "range": (0.0, 200.0, 0.1),
    "command_radius": (0.0, None, 0.1),
}
"""For each key its smallest and its largest value, and a step beyond."""


def entry(**other: Any) -> Entry:
    return Entry(**{**USUAL, **other})


@pytest.mark.parametrize("key", LIMITS)
def test_an_entry_keeps_to_the_limits_of_each_key(key: str) -> None:
    least, most, step = LIMITS[key]

    assert getattr(entry(**{key: least}), key) == least
    assert getattr(entry(**{key: least + step}), key) == least + step
    with pytest.raises(ValidationError):
        entry(**{key: least - step})
    if most is None:
        assert getattr(entry(**{key: 1e6}), key) == 1e6
        return
    assert getattr(entry(**{key: most}), key) == most
    with pytest.raises(ValidationError):
        entry(**{key: most + step})


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""}, {"members": 2}, {"files": 2}, {"formation": "close"}, {"grade": "brave"},
        {"specials": ["swim"]}, {"character": 1}, {"attack": 1.5}, {"hits": True}, {"size": 3},
    ],
)  # fmt: skip
def test_an_entry_with_another_value_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        entry(**wrong)


def test_a_base_is_as_wide_as_it_is_deep() -> None:
    battle = table({"at": [10, 10], "base": 2.5}, {"at": [30, 30], "side": "Blue"})

    troops = battle.setup.units[0].muster.troops

    assert (troops.width, troops.depth, troops.base) == (2.5, 2.5, "round")


def test_a_game_is_played_as_usual_unless_it_says_so() -> None:
    usual = GameTable()

    assert (usual.victory, usual.morale, usual.individual_die) == ("sudden death", "phased", 10)
    assert GameTable(individual_die=6).individual_die == 6
    with pytest.raises(ValidationError):
        GameTable.model_validate({"individual_die": 8})


@pytest.mark.parametrize(
    ("at", "legal"), [([10, 17], True), ([10, 17.1], False), ([3, 10], True), ([2.9, 10], False)]
)
def test_a_unit_starts_near_its_leader_in_every_direction(at: list[float], legal: bool) -> None:
    """The radius is 6 inches, and the two bases reach half an inch each."""
    models = (
        {"at": [10, 10], "name": "head"},
        {"at": at, "group": "head", "command_radius": 6},
        {"at": [40, 40], "side": "Blue"},
    )
    if legal:
        assert table(*models).state.units.ints("leader").tolist() == [0, 0, 2]
        return

    with pytest.raises(ScenarioError, match="expected at most 6 GSU from its leader"):
        table(*models)


def test_a_battle_opens_with_all_that_entries_print() -> None:
    battle = table(
        {"at": [10, 10], "attack": 5, "save": 3, "hits": 4},
        {"at": [30, 30], "side": "Blue", "character": True, "attack": 2, "save": 1, "hits": 1},
    )
    units = battle.state.units

    assert units.floats("attack").tolist() == [5, 2]
    assert units.ints("save").tolist() == [3, 1]
    assert units.ints("hits_left").tolist() == [4, 1]
    assert units.ints("leader").tolist() == [0, -1]
    assert units.ints("in_command").tolist() == [1, 1]
    assert battle.state.sides.ints("waiting").tolist() == [0, 0]


def test_the_commanders_are_the_doctrine_and_a_search_on_top_of_it() -> None:
    assert SYSTEM.commander("doctrine") is DOCTRINE
    assert SYSTEM.commander("search") is SEARCH
    assert SYSTEM.commander("admiral") is None
    assert SYSTEM.rehearses, "a search needs trials"


def test_every_kind_of_terrain_has_an_effect_on_movement() -> None:
    assert {*BOOK.kinds.values()} <= {*MOVEMENT}


def test_kinds_of_its_own_are_as_high_as_they_look() -> None:
    assert {kind.name: (kind.height, kind.body, kind.look) for kind in OWN} == {
        "bush": (1.0, "sparse", "shrub"),
        "pool": (-2.0, "sparse", "lake"),
        "mire": (0.0, "sparse", "marsh"),
        "rough": (0.5, "sparse", "scrub"),
        "cliff": (1.0, "solid", "rock"),
    }
