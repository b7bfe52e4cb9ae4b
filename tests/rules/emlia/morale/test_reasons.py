"""An event of the resolution names what made its damage, losses, morale and forced moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.columns import Armour
from emlia3d.rules.emlia.play.morale.reasons import morale_because
from emlia3d.rules.emlia.tables.morale import MoraleFacts, morale_change
from tests.rules.emlia.combat.blows import man
from tests.rules.emlia.hitting import ATTACKER, crowd, hit, resolve
from tests.rules.emlia.reasons import named
from tests.rules.emlia.shoving import pushed
from tests.rules.emlia.troops import ranked, theirs

BRUISE = ({"faces": (1, 12), "text": "a bruise"},)

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


def losses(events: list[Any]) -> dict[int, Any]:
    """The events of losses, by unit."""
    return {e.unit: e for e in events if e.name in {"suffered", "destroyed"}}


@pytest.mark.rule("emlia.damage.points", "emlia.damage.modified-hits", "emlia.damage.carry")
@pytest.mark.rule("emlia.damage.casualty-choice", "emlia.damage.per-group", "emlia.meta.rounding")
@pytest.mark.parametrize(
    ("entry", "hits", "expected"),
    [
        ({}, [(2, 0)],
         ["attr.hits", "damage.points", "attr.damage-limit", "damage.casualty-choice"]),
        ({"hits": 3}, [(7, 1)],
         ["attr.hits", "equip.base-damage", "damage.modified-hits", "meta.rounding",
          "damage.points", "attr.damage-limit", "damage.casualty-choice"]),
        ({"hits": 2}, [(2, 0), (2, 1)],
         ["attr.hits", "equip.base-damage", "damage.modified-hits", "damage.per-group",
          "damage.points", "attr.damage-limit", "damage.casualty-choice"]),
        ({"damage_limit": 3}, [(2, 0)], ["attr.hits", "damage.points", "damage.carry"]),
        ({"members": 2}, [(2, 0)],
         ["attr.hits", "damage.points", "attr.damage-limit", "damage.unit-destroyed"]),
        ({"damage_limit": 3, "members": 1}, [(2, 0)],
         ["attr.hits", "damage.points", "attr.damage-limit", "damage.carry"]),
        ({"damage_limit": None, "threshold": 9, "members": 1, "vital_table": BRUISE}, [(2, 0)],
         ["attr.hits", "damage.points", "damage.carry"]),
        ({"damage_limit": None, "threshold": 2, "members": 1, "vital_table": BRUISE}, [(2, 0)],
         ["attr.hits", "damage.points", "damage.carry", "attr.threshold", "attr.vital-table"]),
        ({"damage_limit": 3, "threshold": 2, "members": 1, "vital_table": BRUISE}, [(2, 0)],
         ["attr.hits", "damage.points", "attr.damage-limit", "damage.carry", "attr.threshold",
          "attr.vital-table", "attr.damage-measure", "damage.order"]),
        ({"damage_limit": 3, "threshold": 9, "members": 5, "vital_table": BRUISE}, [(4, 0)],
         ["attr.hits", "damage.points", "attr.damage-limit", "damage.carry",
          "damage.casualty-choice"]),
        ({"arc_hits": (1, 1, 1)}, [(1, 0)],
         ["attr.hits", "attr.sight-arcs", "attr.hits.by-arc", "damage.points",
          "attr.damage-limit", "damage.casualty-choice"]),
    ],
    ids=["plain", "hard", "two damages", "short of the limit", "all", "one", "no limit", "a roll",
         "a roll with a limit", "no roll", "by arc"],
)  # fmt: skip
def test_a_loss_names_the_rules_that_made_it_and_no_others(
    field_of_battle: Build, play: Play, entry: dict[str, Any], hits: list[Any], expected: list[str]
) -> None:
    battle = field_of_battle(ATTACKER, crowd(**{"members": 10, **entry}))
    for count, damage in hits:
        hit(battle, count, damage)

    faces = [1] if "attr.vital-table" in expected else []
    event = losses(resolve(battle, play, faces))[1]

    assert named(event, "attr", "equip", "damage", "meta", "hits") == expected


@pytest.mark.rule("emlia.equip.armour-piercing", "emlia.equip.other.examples.light-armour")
@pytest.mark.parametrize(
    ("armour", "expected"),
    [
        (Armour.COUNTS, ["equip.other.examples.light-armour"]),
        (Armour.PIERCED, ["equip.other.examples.light-armour", "equip.armour-piercing"]),
        (Armour.IGNORED, []),
    ],
)
def test_a_loss_names_the_armour_that_counted(
    field_of_battle: Build, play: Play, armour: Armour, expected: list[str]
) -> None:
    battle = field_of_battle(ATTACKER, crowd(10, equipment=("light armour",)))
    hit(battle, 2, armour=armour)

    event = losses(resolve(battle, play))[1]

    assert named(event, "equip") == expected


@pytest.mark.rule("emlia.hits.allocate", "emlia.hits.subunit-quota", "emlia.hits.groups")
@pytest.mark.rule("emlia.hits.direct-subunit", "emlia.hits.group-order")
def test_losses_of_a_mixed_unit_name_how_the_hits_were_shared_out(
    field_of_battle: Build, play: Play
) -> None:
    parts = crowd(8, name="men"), crowd(3, 101, name="guards", group="men")
    shared, direct = field_of_battle(ATTACKER, *parts), field_of_battle(ATTACKER, *parts)
    hit(shared, 4, 0)
    hit(shared, 3, 1)
    hit(direct, 1, subject=2, focused=1)

    both, one = losses(resolve(shared, play)), losses(resolve(direct, play))

    assert named(both[1], "hits") == [
        "hits.allocate", "hits.subunit-quota", "hits.groups", "hits.group-order",
    ]  # fmt: skip
    assert named(one[2], "hits") == ["hits.direct-subunit"]


@pytest.mark.rule("emlia.damage.credit")
def test_only_damage_by_several_is_credited(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ATTACKER, crowd(10), {"at": (90, 50)})
    hit(battle, 2)
    hit(battle, 2, attacker=2)

    event = losses(resolve(battle, play))[1]

    assert "damage.credit" in named(event, "damage")


@pytest.mark.rule("emlia.morale.state", "emlia.morale.entering", "emlia.disorder.causes")
@pytest.mark.rule("emlia.morale.percent-base")
def test_a_fall_of_morale_names_the_state_before_the_rows(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ATTACKER, crowd(10, morale=2))
    hit(battle, 1)

    (event,) = (e for e in resolve(battle, play) if e.name == "shaken")

    assert event.because == (
        "emlia.morale.percent-base", "emlia.morale.state", "emlia.morale.state.shaken",
        "emlia.disorder.causes", "emlia.morale.update", "emlia.morale.neg.casualties",
        "emlia.morale.neg.casualties-10", "emlia.morale.entering",
    )  # fmt: skip


@pytest.mark.rule("emlia.morale.bounds", "emlia.morale.army-value")
@pytest.mark.parametrize(
    ("before", "total", "rows", "expected"),
    [
        (2, 1, ["emlia.morale.pos.inflicts"], []),
        (3, 1, ["emlia.morale.pos.inflicts"], ["state", "state.eager", "army-value"]),
        (6, 3, ["emlia.morale.pos.wipes-out"],
         ["bounds", "state", "state.victorious", "army-value"]),
        (-2, -2, ["emlia.morale.neg.friend-wiped-out"],
         ["activation-moment", "state", "state.retreating"]),
        (2, -1, ["emlia.morale.neg.general-killed"], ["general"]),
    ],
)  # fmt: skip
def test_a_change_of_morale_names_bounds_and_states_that_it_reached(
    before: int, total: int, rows: list[str], expected: list[str]
) -> None:
    slugs = [slug for slug in morale_because(before, total, rows, ()) if ".morale." in slug]

    assert slugs == [f"emlia.morale.{key}" for key in expected]


@pytest.mark.rule("emlia.morale.second-pass", "emlia.morale.reaches")
def test_only_the_fall_of_an_enemy_names_the_second_pass() -> None:
    falls = ("emlia.morale.pos.enemy-retreats",)

    with_fall = tuple(morale_because(1, 1, (), falls))
    without = tuple(morale_because(1, 1, (), ()))

    assert with_fall == ("emlia.morale.second-pass", "emlia.morale.reaches")
    assert without == ()


@pytest.mark.rule("emlia.morale.notes", "emlia.morale.this-turn")
@pytest.mark.parametrize(
    ("facts", "given", "expected"),
    [
        (MoraleFacts(friends_casualties=(1.0,)), frozenset(), ()),
        (MoraleFacts(friends_casualties=(2.0,)), frozenset(), ("emlia.morale.notes",)),
        (MoraleFacts(army_value=2, friends_casualties=(1.0,)), frozenset(),
         ("emlia.morale.notes",)),
        (MoraleFacts(suffered=True), frozenset(), ()),
        (MoraleFacts(suffered=True), frozenset({"emlia.morale.neg.casualties"}),
         ("emlia.morale.this-turn",)),
    ],
)  # fmt: skip
def test_a_change_names_the_notes_and_marks_that_altered_it(
    facts: MoraleFacts, given: frozenset[str], expected: tuple[str, ...]
) -> None:
    assert morale_change(facts, given).reasons == expected


@pytest.mark.rule("emlia.push.net", "emlia.push.straight-ahead", "emlia.push.choices")
@pytest.mark.rule("emlia.forced.terrain")
@pytest.mark.parametrize(
    ("front", "terrain", "answers", "expected"),
    [
        ("ranked", [], ["give-way", "stand"],
         ["push.net", "push.direction", "push.straight-ahead", "push.choices"]),
        ("ranked", [{"kind": "building", "box": (90, 104, 110, 107), "height": 3}],
         ["give-way", "stand"],
         ["push.net", "push.direction", "push.straight-ahead", "push.choices",
          "forced.terrain"]),
        ("open", [], ["stand"],
         ["push.net", "push.direction", "push.straight-ahead"]),
    ],
    ids=["free", "against a wall", "an open unit"],
)  # fmt: skip
def test_a_push_names_who_pushed_and_what_stopped_it(
    field_of_battle: Build, play: Play, front: str, terrain: list[Any],
    answers: list[str], expected: list[str],
) -> None:  # fmt: skip
    foes = theirs(4, 2, (100, 101)) if front == "ranked" else man(100, 101.2, "Bob", facing=180)
    battle = field_of_battle(ranked(4, 2, (100, 100)), foes, terrain=terrain)

    events = pushed(battle, play, [(0, 1, 3)], answers)

    (event,) = (e for e in events if e.name == "pushed back")
    assert named(event, "push", "forced") == expected
