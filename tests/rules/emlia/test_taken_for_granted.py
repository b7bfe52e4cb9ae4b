"""What a rule takes for granted where nobody says otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.sight.member_sight import scattered
from emlia3d.rules.emlia.tables.awareness import knows
from emlia3d.rules.emlia.tables.equipment import (
    Band,
    base_damage_at,
    combat_range,
    damage_because,
    hits_against,
    parry_modifier,
    range_band,
)
from emlia3d.rules.emlia.tables.morale import percent_base
from emlia3d.rules.emlia.tables.shadow import CastShadow, seen_from
from emlia3d.rules.emlia.tables.sight import with_members
from emlia3d.rules.emlia.tables.skills import attempt, roll_check
from emlia3d.rules.emlia.unit_sets.unit_set import Entry

RANGES = (10.0, 20.0, 30.0)
UNIT = {"name": "Bare", "size": 1, "height": 1}


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(lambda: knows(Level.PARTIAL), True, id="it has not hidden"),
        pytest.param(lambda: knows(Level.TOTAL), False, id="nobody has found it"),
        pytest.param(lambda: range_band(30.0, RANGES), Band.LONG, id="the limit is in range"),
        pytest.param(lambda: range_band(30.5, RANGES), None, id="nobody shoots downhill"),
        pytest.param(lambda: base_damage_at(3, Band.LONG), 3, id="no falloff"),
        pytest.param(lambda: damage_because(3, Band.LONG), (), id="no reason of falloff"),
        pytest.param(lambda: hits_against(1, 3), 4, id="armour counts in full"),
        pytest.param(lambda: hits_against(1, 3, piercing=True), 2, id="armour is not ignored"),
        pytest.param(lambda: parry_modifier(10, 4), 0, id="no focus on who parries"),
        pytest.param(lambda: combat_range(2), 2, id="no weapon of reach"),
        pytest.param(lambda: percent_base(members=1, single=True, limit=8), 8, id="no damage"),
        pytest.param(
            lambda: int(with_members(Level.PARTIAL, Level.NONE)), Level.PARTIAL, id="it is seen"
        ),
        pytest.param(lambda: next(scattered(40)), [0], id="the first member comes first"),
        pytest.param(lambda: attempt(3, may_improvise=False).bonus, 0, id="no bonus"),
    ],
)
def test_where_nothing_is_said_the_plain_case_holds(
    found: Callable[[], Any], expected: object
) -> None:
    assert found() == expected


@pytest.mark.rule("emlia.sight.from-shadow.partial")
def test_who_stands_on_nothing_is_partly_hidden_from_a_shadow() -> None:
    shadow = CastShadow(length=20, total_depth=10)

    assert seen_from(shadow, 15, True).level is Level.PARTIAL
    assert seen_from(shadow, 15, True, perch_hidden=False).level is Level.NONE


class Sixes:
    """Dice that always show 6."""

    def roll(self, why: str, count: int, sides: int) -> tuple[int, ...]:
        assert why
        assert sides == 12
        return (6,) * count


def test_a_check_of_up_to_24_dice_keeps_each_face() -> None:
    kept = roll_check("test", 24, 0, Sixes())

    assert (kept.faces, kept.counts) == ((6,) * 24, None)
    assert (kept.dice, kept.successes) == (24, 24)


@pytest.mark.rule("emlia.skill.names")
@pytest.mark.parametrize(
    ("skills", "added", "taken"),
    [
        ({"stealth": "3"}, [], True),
        ({"riding": "3"}, [], False),
        ({"riding": "3"}, ["riding"], True),
        ({"stealth": "3x"}, [], False),
        ({"stealth": "3/0"}, [], False),
        ({"stealth": "3*"}, [], True),
    ],
)
def test_a_skill_is_one_of_the_core_or_of_the_unit_set_with_a_level(
    skills: dict[str, str], added: list[str], taken: bool
) -> None:
    try:
        read = Entry.model_validate({**UNIT, "added_skills": added, "skills": skills})
    except ValueError:
        assert not taken
    else:
        assert taken
        assert read.skills == skills


@pytest.mark.rule("emlia.attr.timing")
@pytest.mark.parametrize(("printed", "timing"), [("none", None), (0, 0), (3, 3)])
def test_a_unit_that_does_not_act_by_itself_has_no_timing(
    printed: object, timing: int | None
) -> None:
    assert Entry.model_validate({**UNIT, "timing": printed}).timing == timing
