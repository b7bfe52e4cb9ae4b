"""The book's example unit: cavemen as they are printed, and its examples of what they do."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import emlia3d
from emlia3d.battle.questions.odds import mean
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.tables.equipment import base_damage_at, range_band
from emlia3d.rules.emlia.tables.morale import state_of
from emlia3d.rules.emlia.tables.skills import Skill, dice_of
from emlia3d.rules.emlia.unit_sets.unit_set import Entry
from emlia3d.scenario import Scenario
from tests.rules.emlia.bundled_units import entry


@pytest.fixture(scope="module")
def cavemen() -> Entry:
    return entry("cavemen")


@pytest.mark.rule("emlia.caveman")
@pytest.mark.rule("emlia.caveman.name")
@pytest.mark.rule("emlia.caveman.members")
@pytest.mark.rule("emlia.caveman.keywords")
@pytest.mark.rule("emlia.caveman.movement")
@pytest.mark.rule("emlia.caveman.timing")
@pytest.mark.rule("emlia.caveman.hits")
@pytest.mark.rule("emlia.caveman.damage-limit")
@pytest.mark.rule("emlia.caveman.morale")
@pytest.mark.rule("emlia.caveman.size")
@pytest.mark.rule("emlia.caveman.height")
@pytest.mark.rule("emlia.caveman.arcs")
@pytest.mark.rule("emlia.caveman.army-value")
@pytest.mark.rule("emlia.caveman.hire-value")
@pytest.mark.parametrize(
    ("attribute", "printed"),
    [
        ("name", "Green Caveman Infantry"),
        ("members", 10),
        ("keywords", ("Human",)),
        ("movement", "15G"),
        ("timing", 2),
        ("hits", 1),
        ("damage_limit", 1),
        ("morale", 2),
        ("size", 1),
        ("height", 1),
        ("arcs", (180, 45, 90)),
        ("army_value", 1),
        ("hire_value", 20),
    ],
)
def test_cavemen_are_as_printed(cavemen: Entry, attribute: str, printed: object) -> None:
    assert getattr(cavemen, attribute) == printed


@pytest.mark.rule("emlia.caveman.close-combat")
@pytest.mark.rule("emlia.caveman.aimed-fire")
@pytest.mark.rule("emlia.caveman.volley-fire")
@pytest.mark.rule("emlia.caveman.examples")
@pytest.mark.parametrize("name", ["close combat", "aimed fire", "volley fire"])
@pytest.mark.parametrize(("members", "dice"), [(10, 5), (8, 4), (5, 3), (1, 1)])
def test_cavemen_lose_a_die_for_every_two_men(
    cavemen: Entry, name: Any, members: int, dice: int
) -> None:
    skill = cavemen.skill(name)

    assert skill == Skill(dice=5, per_loss=2)
    assert dice_of(skill, able=members, lost=10 - members) == dice


@pytest.mark.rule("emlia.form.spacing")
def test_twenty_in_ranks_of_whom_no_more_is_said_stand_in_seven_files_on_seven_by_three(
    clans: Callable[[float], Scenario],
) -> None:
    scenario = clans(12)

    cavemen = pose_of(scenario.battle(), 2)

    assert (cavemen.drill.files, cavemen.drill.ranks, cavemen.drill.count) == (7, 3, 20)
    assert cavemen.outline.bounds == (16.5, 18.5, 23.5, 21.5)


@pytest.fixture
def clans(tmp_path: Path) -> Callable[[float], Scenario]:
    """Two units of the entry in close order, about so many GSU apart; twenty in ranks far off."""

    def apart(gap: float) -> Scenario:
        crowd = 'type = "emlia/cavemen"\nformation = "close"\nfiles = 5\n'
        path = tmp_path / "clans.toml"
        path.write_text(
            'format = 1\ntitle = "Two clans"\nrules = "emlia"\nturns = 1\n'
            '[field]\nsize = [100, 100]\n[[side]]\nname = "Red"\n[[side]]\nname = "Blue"\n'
            f'[[unit]]\nname = "reds"\nside = "Red"\nat = [50, 50]\n{crowd}'
            f'[[unit]]\nname = "blues"\nside = "Blue"\n'
            f"at = [50, {52 + gap}]\nfacing = 180\n{crowd}"
            '[[unit]]\nname = "twenty"\nside = "Red"\nat = [20, 20]\ntype = "emlia/cavemen"\n'
            'formation = "ranked"\nmembers = 20\n',
            encoding="utf-8",
        )
        return emlia3d.load(path)

    return apart


@pytest.mark.rule("emlia.caveman.examples")
def test_ten_cavemen_expect_to_kill_three_and_a_third_of_as_many(
    clans: Callable[[float], Scenario],
) -> None:
    found = clans(1).odds("reds", "blues", "melee")

    (check,) = found.checks
    assert (check.dice, check.modifier) == (5, 0)
    assert found.hits == found.fates["blues"].lost
    assert mean(found.fates["blues"].lost) == Fraction(10, 3)


@pytest.mark.rule("emlia.caveman.examples")
def test_rocks_at_12_are_thrown_at_minus_four_and_each_that_hits_kills_a_man_all_the_same(
    clans: Callable[[float], Scenario], cavemen: Entry
) -> None:
    found = clans(12).odds("reds", "blues", "fire")

    (check,) = found.checks
    assert (check.dice, check.modifier) == (5, -4)
    # They do no base damage beyond 10 GSU, and need one hit for a point without.
    assert found.hits == found.fates["blues"].lost
    (rocks,) = cavemen.ranged_weapons
    assert base_damage_at(rocks.base_damage, range_band(12, rocks.range), 0, falloff=True) == 0


def test_cavemen_of_morale_2_are_in_the_normal_state(cavemen: Entry) -> None:
    assert state_of(cavemen.morale).name == "Normal"


def test_cavemen_have_no_other_skill(cavemen: Entry) -> None:
    assert cavemen.skill("leadership") is None
    assert cavemen.skill("alertness") is None
    assert cavemen.skill("stealth") is None


@pytest.mark.rule("emlia.caveman.clubs")
@pytest.mark.rule("emlia.equip.melee.examples.club")
def test_clubs_have_base_damage_1(cavemen: Entry) -> None:
    (clubs,) = cavemen.melee_weapons

    assert (clubs.name, clubs.base_damage, clubs.abilities, clubs.range) == ("Clubs", 1, (), None)


@pytest.mark.rule("emlia.caveman.rocks")
@pytest.mark.rule("emlia.equip.ranged.examples.rocks")
def test_rocks_are_thrown_with_aimed_fire_only(cavemen: Entry) -> None:
    (rocks,) = cavemen.ranged_weapons

    assert (rocks.base_damage, rocks.range, rocks.ability("falloff")) == (1, (5, 10, 15), 1)
    assert rocks.usable_for("aimed fire")
    assert not rocks.usable_for("area volley")
    assert not rocks.usable_for("melee")


@pytest.mark.rule("emlia.caveman.initiative")
@pytest.mark.rule("emlia.caveman.initiative.1")
@pytest.mark.rule("emlia.caveman.initiative.2")
@pytest.mark.rule("emlia.caveman.initiative.3")
@pytest.mark.rule("emlia.caveman.initiative.4")
def test_cavemen_have_the_four_conditions_of_the_book_in_its_order(cavemen: Entry) -> None:
    printed = [
        (
            [trigger.model_dump(exclude_none=True) for trigger in condition.when],
            condition.do,
            condition.fast,
        )
        for condition in cavemen.initiative
    ]

    assert printed == [
        ([{"attacked": "from afar", "shelter": "none"}], "move to concealment or cover", True),
        (
            [
                {
                    "attacked": "from afar",
                    "shelter": "concealment or cover",
                    "taking_cover": False,
                }
            ],
            "take cover",
            False,
        ),
        ([{"attacked": "at all"}], "attack", False),
        ([{"within": 15, "members": "fewer", "size": "same or lower"}], "charge", False),
    ]
