"""Chapter 5 as play: whose skill a check uses, its dice and modifiers, and its reasons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append, Fall, Pair
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.basics.tables import UNMODIFIED, Modified
from emlia3d.rules.emlia.columns import Acted, Armour, Attacked
from emlia3d.rules.emlia.play.acting.check_reasons import check_because
from emlia3d.rules.emlia.play.acting.checks import (
    armour_against,
    attempt_of,
    facts_of,
    losses_of,
    marked,
    skilled,
    speaker_for,
    total_modifier,
)
from emlia3d.rules.emlia.tables.skills import Attempt, Check, Skill, SkillLevel
from emlia3d.rules.emlia.unit_sets.weapon import Weapon

Build = Callable[..., Battle]
Put = Callable[..., None]
BOB: dict[str, Any] = {"at": (50, 190), "side": "Bob", "facing": 180}


def band(build: Build, head: dict[str, Any], *parts: dict[str, Any]) -> Battle:
    """A mixed unit of Alice's, rows 0 and on, and one of Bob's."""
    rows = [{"at": (53 + 3 * n, 50), "group": "head", **part} for n, part in enumerate(parts)]
    return build({"at": (50, 50), "name": "head", **head}, *rows, BOB)


@pytest.mark.parametrize(("members", "damage", "lost"), [(1, 3, 3), (1, 0, 0), (4, 3, 0)])
def test_a_single_character_has_lost_its_damage_and_a_unit_its_members(
    field_of_battle: Build, put: Put, members: int, damage: int, lost: int
) -> None:
    battle = field_of_battle({"at": (50, 50), "members": members}, BOB)
    put(battle, 0, damage=damage)

    assert losses_of(battle, 0) == lost


@pytest.mark.rule("emlia.skill.mixed-source.non-combat")
@pytest.mark.parametrize(
    ("skill", "levels", "speaker"),
    [
        ("alertness", ("1", "3", "2"), 1),
        ("alertness", (None, None, "1"), 2),
        ("alertness", ("2", "2", "1"), 0),
        ("stealth", ("3", "1", "2"), 1),
        ("stealth", ("1", "3", None), 2),
        ("stealth", ("2", "2", "3"), 0),
        ("alertness", ("0", None, None), 0),
        ("stealth", ("0", "1", None), 2),
        # A star level is a level for each member: 1 of 2 against 3 of one.
        ("alertness", ("2", "3*", "1"), 1),
    ],
)
def test_the_most_watchful_looks_out_and_the_clumsiest_is_noticed(
    field_of_battle: Build, skill: str, levels: tuple[str | None, ...], speaker: int
) -> None:
    units = [{"skills": {} if level is None else {skill: level}} for level in levels]
    battle = band(field_of_battle, *units)

    assert speaker_for(battle, 0, skill) == speaker
    for combat in ("close combat", "aimed fire", "volley fire"):
        assert [speaker_for(battle, row, combat) for row in (0, 1, 2)] == [0, 1, 2]


@pytest.mark.rule("emlia.skill.mixed-source", "emlia.action.improvised-flag")
@pytest.mark.parametrize(
    ("level", "name", "able", "dice", "improvised"),
    [
        ("10/1", "aimed fire", None, 10, False),
        ("10/1", "aimed fire", 4, 8, False),
        ("2*", "aimed fire", None, 12, False),
        ("2*", "aimed fire", 4, 8, False),
        ("3", "aimed fire", 1, 3, False),
        ("1/1", "aimed fire", 5, 1, True),
        (None, "aimed fire", None, 1, True),
        (None, "area volley", None, 0, False),
        (None, "detect hidden", None, 0, False),
    ],
)
def test_members_that_take_no_part_count_as_lost(
    field_of_battle: Build, level: str | None, name: str, able: int | None, dice: int,
    improvised: bool,
) -> None:  # fmt: skip
    skills = {} if level is None else {"aimed fire": level}
    battle = field_of_battle({"at": (50, 50), "members": 6, "skills": skills}, BOB)

    tried = attempt_of(battle, 0, name, able)

    assert (tried.dice, tried.improvised) == (dice, improvised)


@pytest.mark.rule("emlia.gloss.attribute")
def test_dice_follow_from_losses_and_abilities_add_to_each(field_of_battle: Build) -> None:
    gift = {"effect": "modifier", "name": "Gift", "skill": "aimed fire", "add": 2}
    unit = {"at": (50, 50), "members": 6, "skills": {"aimed fire": "9/2"}, "abilities": (gift,)}
    battle = field_of_battle(unit, BOB)
    first = battle.state.units.integer("first", 0)
    battle.happen(
        Event(facts=Unread(event="put"), changes=(Fall(unit=0, figures=(first, first + 1)),))
    )

    some, every = (
        skilled(battle, 0, "aimed fire", False, 3),
        skilled(battle, 0, "aimed fire", False),
    )

    assert (every.dice, every.bonus, every.level) == (
        8, 2, SkillLevel(Skill(dice=9, per_loss=2), 4, 0, 2),
    )  # fmt: skip
    assert (some.dice, some.level) == (8, SkillLevel(Skill(dice=9, per_loss=2), 3, 1, 3))
    assert skilled(battle, 0, "leadership", True).bonus == 0


@pytest.mark.rule("emlia.skill.total-modifier")
@pytest.mark.parametrize(
    ("head", "part", "improvised", "expected"),
    [
        ({}, {}, False, 0),
        ({"double_paced": 1}, {}, False, -4),
        ({}, {"double_paced": 1}, False, 0),
        ({"aligned": -1}, {}, False, -1),
        ({"aligned": -2}, {}, False, -2),
        ({}, {"aligned": -2}, False, 0),
        ({}, {"check_modifier": -3}, False, -3),
        ({"check_modifier": -3}, {}, False, 0),
        ({}, {}, True, -4),
        ({"double_paced": 1, "aligned": -1}, {"check_modifier": -1}, True, -10),
    ],
)
def test_a_check_of_a_subunit_has_what_weighs_on_the_whole_and_its_own_wounds(
    field_of_battle: Build, put: Put, head: dict[str, int], part: dict[str, int],
    improvised: bool, expected: int,
) -> None:  # fmt: skip
    battle = band(field_of_battle, {}, {})
    put(battle, 0, **head)
    put(battle, 1, **part)
    slugs = ("emlia.skill.improvise",) if improvised else ()
    rows = Modified(2, ("emlia.fire.mod.forfeit-move",), (2,))

    found = total_modifier(battle, 1, rows, Attempt(1, improvised, slugs, 3))

    assert found.total == expected + 2 + 3
    assert sum(found.figures) == found.total
    assert found.because[0] == "emlia.fire.mod.forfeit-move"
    assert ("emlia.skill.improvise" in found.because) is improvised
    assert len(found.because) == len(found.figures)


def test_the_facts_of_a_check_are_its_dice_faces_or_counts_and_figures() -> None:
    plain = Check(dice=2, modifier=-1, successes=1, faces=(3, 9))
    many = Check(dice=30, modifier=0, successes=7, counts=(1,) * 12)
    sure = Check(dice=2, modifier=5, successes=2, automatic=True)
    modifier = Modified(-1, ("emlia.skill.total-modifier.aligned-flank",), (-1,))

    assert facts_of(plain) == {"dice": 2, "modifier": -1, "successes": 1, "faces": (3, 9)}
    assert facts_of(plain, modifier) == {**facts_of(plain), "figures": (-1,)}
    assert facts_of(many) == {"dice": 30, "modifier": 0, "successes": 7, "counts": (1,) * 12}
    assert facts_of(sure) == {"dice": 2, "modifier": 5, "successes": 2}


def test_piercing_weapons_pierce_armour() -> None:
    club = {"name": "Club", "base_damage": 1}

    assert armour_against(Weapon.model_validate(club)) is Armour.COUNTS
    piercing = {**club, "abilities": ("armour piercing",)}
    assert armour_against(Weapon.model_validate(piercing)) is Armour.PIERCED


def rows(changes: Any) -> list[dict[str, float]]:
    return [dict(change.row) for change in changes if isinstance(change, Append)]


def pairs(changes: Any) -> dict[str, Any]:
    return {change.column: change.value for change in changes if isinstance(change, Pair)}


@pytest.mark.rule("emlia.hits.marker", "emlia.primary.attack-set", "emlia.hits.marker.attacker")
def test_an_attack_is_noted_and_its_hits_are_laid_on_the_subject(field_of_battle: Build) -> None:
    # Four hits of base damage 1 against 2 hits and armour of 1 are worth 4/3 of what it needs.
    target = {**BOB, "at": (50, 60), "hits": 2, "armour": 1}
    battle = field_of_battle({"at": (50, 50)}, target, {"at": (50, 190)})

    shot = marked(battle, 0, 1, 0, 4, armour=int(Armour.PIERCED), unseen=1)
    blow = marked(battle, 0, 1, 2, 3, how=Acted.ATTACKED)
    missed = marked(battle, 0, 1, 0, 0)
    behind = marked(battle, 2, 1, 0, 1)

    base = {"subject": 1, "attacker": 0, "party": -1}
    assert rows(shot) == [
        {**base, "base_damage": 0, "hits": 4, "arc": 0, "armour": Armour.PIERCED, "unseen": 1}
    ]
    assert rows(blow) == [{**base, "base_damage": 2, "hits": 3, "arc": 0}]
    assert rows(missed) == []
    assert [row["arc"] for row in rows(behind)] == [2]
    assert pairs(missed) == {
        "attacked": 1, "acted_on": Acted.SHOT, "attack": Attacked.IN_THE_OPEN,
    }  # fmt: skip
    assert pairs(blow) == {
        "attacked": 1, "acted_on": Acted.ATTACKED, "attack": Attacked.HAND_TO_HAND,
    }  # fmt: skip
    assert pairs(shot)["harmed"] == pytest.approx(4 / 3)


@pytest.mark.rule("emlia.hits.marker")
def test_what_attacks_were_worth_and_how_they_were_made_adds_up(field_of_battle: Build) -> None:
    battle = field_of_battle({"at": (50, 50)}, {**BOB, "at": (50, 60), "hits": 2})

    for how in (Acted.SHOT, Acted.ATTACKED, Acted.SHOT):
        battle.happen(
            Event(facts=Unread(event="attacked"), changes=marked(battle, 0, 1, 0, 1, how=how))
        )

    assert battle.state.pairs["harmed"][0, 1] == pytest.approx(1.0)
    assert battle.state.pairs["attack"][0, 1] == Attacked.IN_THE_OPEN | Attacked.HAND_TO_HAND


@pytest.mark.rule("emlia.hits.marker")
def test_an_attack_on_one_subunit_alone_lays_its_hits_on_that(field_of_battle: Build) -> None:
    battle = field_of_battle(
        {"at": (50, 50)}, {**BOB, "name": "men"}, {**BOB, "at": (53, 190), "group": "men"}
    )

    (row,) = rows(marked(battle, 0, 1, 0, 2, focus=2))

    assert (row["subject"], row["focused"], row["hits"]) == (2, 1, 2)


LEVEL = SkillLevel(Skill(dice=3), 1, 0, 0)


@pytest.mark.parametrize(
    ("check", "modifier", "listed", "expected"),
    [
        ({"faces": (5,)}, UNMODIFIED, True,
         ["action.basic-list.aimed-fire", "skill.level-plain", "skill.check"]),
        ({"faces": (5,)}, UNMODIFIED, False, ["skill.level-plain", "skill.check"]),
        ({"automatic": True}, Modified(4, ("a", "b"), (2, 2)), False,
         ["skill.level-plain", "skill.automatic-success", "meta.cumulative"]),
        ({"faces": (5,)}, Modified(4, ("a",), (4,)), False,
         ["skill.level-plain", "skill.check", "meta.probability"]),
        ({"faces": (5,)}, Modified(3, ("a", "b"), (1, 2)), False,
         ["skill.level-plain", "skill.check", "meta.cumulative"]),
        ({"faces": (5,)}, Modified(-8, ("a", "b"), (-4, -4)), False,
         ["skill.level-plain", "skill.check", "meta.probability", "meta.cumulative"]),
        ({"faces": (5,)}, Modified(-7, ("a",), (-7,)), False,
         ["skill.level-plain", "skill.check"]),
    ],
)  # fmt: skip
def test_a_check_names_the_rules_that_made_its_dice_and_its_result(
    field_of_battle: Build, check: dict[str, Any], modifier: Modified, listed: bool,
    expected: list[str],
) -> None:  # fmt: skip
    battle = field_of_battle({"at": (50, 50)}, BOB)
    made = Check(dice=1, modifier=modifier.total, successes=1, **check)

    found = check_because(
        battle, 0, "aimed fire", Attempt(3, False, (), 0, LEVEL), made, modifier, listed=listed
    )

    assert [slug.removeprefix("emlia.") for slug in found] == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("aimed fire", "emlia.skill.mixed-source"),
        ("close combat", "emlia.skill.mixed-source"),
        ("improve morale", "emlia.skill.mixed-source.non-combat"),
        ("detect hidden", "emlia.skill.mixed-source.non-combat"),
        ("conceal self", "emlia.skill.mixed-source.non-combat"),
    ],
)
def test_a_check_of_a_mixed_unit_names_whose_skill_counts(
    field_of_battle: Build, name: str, expected: str
) -> None:
    mixed, plain = band(field_of_battle, {}, {}), field_of_battle({"at": (50, 50)}, BOB)
    made = Check(dice=1, modifier=0, successes=1, faces=(5,))

    def named(battle: Battle, row: int) -> list[str]:
        tried = Attempt(1, True, (), 0)
        slugs = check_because(battle, row, name, tried, made, UNMODIFIED, listed=False)
        return [slug for slug in slugs if slug.startswith("emlia.skill.mixed-source")]

    assert named(mixed, 0) == named(mixed, 1) == [expected]
    assert named(plain, 0) == []
