"""Chapter 22.1: what the book asks of a scenario, and battles played again with sides swapped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import emlia3d
from emlia3d.battle.battle import Battle
from emlia3d.battle.setup import Side
from emlia3d.errors import Error
from emlia3d.rules.emlia.scenario_advice import advice
from emlia3d.scenario import review

Build = Callable[..., Battle]
ALICE: dict[str, Any] = {"at": (50, 20), "name": "spears"}
BOB: dict[str, Any] = {"at": (50, 180), "side": "Bob", "name": "raiders"}
HOLD = {"side": "Alice", "level": "victory", "controls": ("ford",)}
FORD = {"ford": (40, 90, 60, 110)}


def told(battle: Battle, purpose: str = "Raiders cross the ford.") -> list[tuple[str, str]]:
    """What is advised: the end of the slug, and whom it is about."""
    found = advice(battle.setup, purpose)
    return [(one.slug.rpartition(".")[2], one.about[1] if one.about else "") for one in found]


def ground(field_of_battle: Build, *terrain: Mapping[str, Any]) -> list[tuple[str, str]]:
    battle = field_of_battle(ALICE, BOB, terrain=terrain, areas=FORD, aims=[HOLD])
    return told(battle)


@pytest.mark.rule("emlia.scenario.parts")
def test_a_scenario_with_purpose_forces_field_time_and_victory_lacks_nothing(
    field_of_battle: Build,
) -> None:
    whole = field_of_battle(ALICE, BOB, areas=FORD, aims=[HOLD])

    assert told(whole) == []
    assert told(whole, purpose=" ") == [("parts", "")]
    assert told(field_of_battle(ALICE, BOB)) == [("parts", "")]
    assert told(field_of_battle(ALICE, areas=FORD, aims=[HOLD])) == [("parts", "")]


@pytest.mark.rule("emlia.scenario.parts")
@pytest.mark.parametrize(
    ("key", "word"), [("turns = 6\n", "turns"), ("[field]\nsize = [200, 100]\n", "field")]
)
def test_without_a_time_limit_or_a_battlefield_a_file_is_no_scenario(
    key: str, word: str, tmp_path: Path
) -> None:
    text = (
        'format = 1\ntitle = "A raid"\nsummary = "Raiders come."\nrules = "emlia"\nturns = 6\n'
        '[field]\nsize = [200, 100]\n[[side]]\nname = "Alice"\n[[side]]\nname = "Bob"\n'
    )
    path = tmp_path / "raid.toml"
    path.write_text(text.replace(key, ""), encoding="utf-8")

    found = review(path)

    assert any(word in str(diagnostic) for diagnostic in found.diagnostics)
    assert found.advice == ()


@pytest.mark.rule("emlia.scenario.parts")
def test_what_is_lacking_is_told_with_its_place_and_is_no_mistake(tmp_path: Path) -> None:
    text = (
        'format = 1\ntitle = "A raid"\nrules = "emlia"\nturns = 6\n[field]\nsize = [200, 100]\n'
        '[[side]]\nname = "Alice"\n[[side]]\nname = "Bob"\n'
        '[[unit]]\nname = "spears"\nside = "Alice"\nat = [50, 20]\nsize = 1\nheight = 1\n'
        '[[terrain]]\nname = "brook"\nkind = "stream"\npath = [[50, 50], [150, 50]]\nwidth = 2\n'
    )
    path = tmp_path / "raid.toml"
    path.write_text(text, encoding="utf-8")

    found = review(path)

    assert found.diagnostics == ()
    assert [(one.line, one.message.partition(":")[0]) for one in found.advice] == [
        *[(None, "advice (emlia.scenario.parts)")] * 3,
        (17, "advice (emlia.scenario.terrain-checks.natural)"),
    ]


RIVER = {"name": "river", "kind": "river", "box": (0, 98, 200, 102)}


@pytest.mark.rule("emlia.scenario.terrain-checks.natural")
def test_rivers_come_from_somewhere_and_go_somewhere(field_of_battle: Build) -> None:
    half = {**RIVER, "box": (0, 98, 120, 102)}
    lake = {"name": "lake", "kind": "lake", "box": (120, 80, 160, 120)}

    assert ground(field_of_battle, RIVER) == []
    assert ground(field_of_battle, half) == [("natural", "river")]
    assert ground(field_of_battle, half, lake) == []


@pytest.mark.rule("emlia.scenario.terrain-checks.natural")
def test_a_village_needs_water(field_of_battle: Build) -> None:
    village = {"name": "Thorpe", "kind": "village", "box": (120, 40, 160, 60)}

    assert ground(field_of_battle, village) == [("natural", "Thorpe")]
    assert ground(field_of_battle, village, RIVER) == []


@pytest.mark.rule("emlia.scenario.terrain-checks.strategic")
def test_armies_fight_where_a_place_is_worth_it_to_somebody(field_of_battle: Build) -> None:
    kill = {"side": "Alice", "level": "victory", "gone": "Bob"}
    wanted = (
        Side(name="Alice", colour="#000000", objective="ford"),
        Side(name="Bob", colour="#ffffff", lines="north"),
    )

    assert told(field_of_battle(ALICE, BOB, aims=[kill])) == [("strategic", "")]
    assert told(field_of_battle(ALICE, BOB, aims=[kill], areas=FORD, sides=wanted)) == []
    assert told(field_of_battle(ALICE, BOB, aims=[kill, HOLD], areas=FORD)) == []


KEEP = {"name": "keep", "kind": "keep", "box": (100, 100, 110, 110)}
BANK = {"name": "bank", "kind": "earthwork", "box": (95, 80, 115, 82)}
COPSE = {"name": "copse", "kind": "forest"}


@pytest.mark.rule("emlia.scenario.terrain-checks.defensive")
def test_a_place_that_is_held_has_works_before_it_and_nothing_that_hides_attackers(
    field_of_battle: Build,
) -> None:
    near, far = {**COPSE, "box": (118, 100, 130, 110)}, {**COPSE, "box": (121, 100, 130, 110)}

    assert ground(field_of_battle, KEEP) == [("defensive", "keep")]
    assert ground(field_of_battle, KEEP, BANK) == []
    assert ground(field_of_battle, KEEP, BANK, near) == [("defensive", "copse")]
    assert ground(field_of_battle, KEEP, BANK, far) == []


@pytest.mark.rule("emlia.scenario.deployment")
def test_forces_start_reasonably_far_apart(field_of_battle: Build) -> None:
    # Men 1 GSU across: 1 GSU between their edges is just within a reach of 1.
    close = field_of_battle(ALICE, {**BOB, "at": (52, 20)}, areas=FORD, aims=[HOLD])
    apart = field_of_battle(ALICE, {**BOB, "at": (52.1, 20)}, areas=FORD, aims=[HOLD])

    assert told(close) == [("deployment", "spears")]
    assert told(apart) == []


def led_by(scenario: emlia3d.Scenario) -> list[tuple[str, str]]:
    return [(side.name, side.commander) for side in scenario.setup.sides]


@pytest.fixture
def uneven(tmp_path: Path) -> Path:
    """The bandits, played by one who gives any order against one who thinks."""
    text = (Path(__file__).parents[3] / "maps" / "bandits.toml").read_text(encoding="utf-8")
    path = tmp_path / "uneven.toml"
    head, led, rest = text.partition('lines = "north"')
    assert 'name = "Bandits"' in head
    head, _, _ = head.rpartition('commander = "doctrine"')
    path.write_text(f'{head}commander = "random"\n{led}{rest}', encoding="utf-8")
    return path


@pytest.mark.rule("emlia.scenario.swap-sides")
def test_an_uneven_battle_is_played_twice_with_sides_swapped(uneven: Path) -> None:
    scenario = emlia3d.load(uneven)

    again = scenario.with_sides_swapped()
    first, second = scenario.battle(seed=3), again.battle(seed=3)
    results = [battle.run_to_end() for battle in (first, second)]

    assert dict(led_by(scenario))["Bandits"] == "random"
    assert [name for name, led in led_by(again) if led == "random"] == ["Militia"]
    assert first.digest.hexdigest() != second.digest.hexdigest()
    assert all(result.reason for result in results)


@pytest.mark.rule("emlia.scenario.swap-sides")
def test_sides_swapped_twice_are_as_they_were(uneven: Path) -> None:
    scenario = emlia3d.load(uneven)

    assert led_by(scenario.with_sides_swapped().with_sides_swapped()) == led_by(scenario)


def test_where_all_are_led_alike_there_is_nothing_to_swap() -> None:
    with pytest.raises(Error, match="are led by doctrine; give one of them another commander"):
        emlia3d.load("bandits").with_sides_swapped()


@pytest.mark.rule("emlia.ranked.engaged-members")
@pytest.mark.parametrize(
    ("files", "reach", "deep"),
    [
        # 20, 10, 9, 8 and 4 members fight: 10, 5, 5, 4 and 2 of the 10 dice.
        (20, 0, []),
        (10, 0, []),
        (9, 0, []),
        (8, 0, ["spears"]),
        (4, 0, ["spears"]),
        # Reach 1 brings two ranks more in if the fronts touch: 12 and 6 members, 6 and 3 dice.
        (4, 1, []),
        (2, 1, ["spears"]),
    ],
)
def test_a_deep_block_that_fields_less_than_half_of_its_dice_is_advised(
    field_of_battle: Build, files: int, reach: int, deep: list[str]
) -> None:
    block = {
        **ALICE,
        "members": 20,
        "files": files,
        "formation": "ranked",
        "skills": {"close combat": "10/2"},
        "weapons": [
            {"name": "Spear", "base_damage": 1, "abilities": [f"reach {reach}"] if reach else []}
        ],
    }
    battle = field_of_battle(block, BOB, areas=FORD, aims=[HOLD])

    assert told(battle) == [("engaged-members", name) for name in deep]


@pytest.mark.rule("emlia.ranked.engaged-members")
def test_the_advice_on_a_deep_block_gives_the_dice(field_of_battle: Build) -> None:
    block = {
        **ALICE, "members": 20, "files": 4, "formation": "ranked",
        "skills": {"close combat": "10/2"},
    }  # fmt: skip
    (one,) = advice(field_of_battle(block, BOB, areas=FORD, aims=[HOLD]).setup, "A raid.")

    assert one.told == (
        "spears: 2 of 10 dice to the front, because only 4 of 20 members reach the enemy; "
        "more files give more"
    )
