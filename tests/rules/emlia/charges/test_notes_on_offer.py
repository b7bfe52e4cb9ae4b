"""Which notes of prepared actions a unit is offered, and whose notes it may show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.play.charges.preparing import carry_out, prepare_options
from emlia3d.rules.emlia.play.situation.prepared_notes import prepared_notes_of
from emlia3d.rules.emlia.preparation import Note
from tests.rules.emlia.combat.notes import JAVELIN, THROWER, foe, me, note, wrote

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


def offered(battle: Battle, unit: int = 0) -> list[Note]:
    """The notes that a unit is offered to write."""
    orders = [order for order in prepare_options(battle, unit) if order.verb == "prepare"]
    return [Note.model_validate_json(order.words) for order in orders]


def shot(band: str, *do: str, weapon: int = 0) -> Note:
    when = {"band": band, "weapon": weapon, "in_sight": True}
    return Note.model_validate({"when": (when,), "do": ("aimed fire", *do)})


CHARGE = Note.model_validate({"when": ({"within": 16.0},), "do": ("charge",)})
"""A man of 15 GSU has a reach of 1."""

COVER = Note.model_validate({"when": ({"attacked": "from afar"},), "do": ("take cover",)})


def test_a_thrower_is_offered_shots_by_band_a_charge_and_cover(field_of_battle: Build) -> None:
    battle = field_of_battle(me(**THROWER), foe())

    assert offered(battle) == [
        shot("medium"), shot("medium", "normal move"), shot("short"), shot("long"), CHARGE, COVER,
    ]  # fmt: skip


def test_each_weapon_that_can_be_aimed_has_notes_of_its_own(field_of_battle: Build) -> None:
    coverage = {"start": 2, "increment": 1, "limit": 4, "drift": 4}
    lobbed = {**JAVELIN, "name": "Grenade", "use": ["area volley"], "coverage": coverage}
    weapons = [lobbed, JAVELIN]
    battle = field_of_battle(me(skills={"aimed fire": "2"}, weapons=weapons), foe())

    aimed = [each for each in offered(battle) if each.do[0] == "aimed fire"]

    assert {each.when[0].weapon for each in aimed} == {1}
    assert len(aimed) == 4


@pytest.mark.parametrize(
    ("movement", "within"), [("15G", 16.0), ("12.1234G", 13.123), ("12.1236G", 13.124)]
)
def test_the_range_of_a_charge_is_offered_in_thousandths(
    field_of_battle: Build, movement: str, within: float
) -> None:
    battle = field_of_battle(me(movement=movement), foe())

    charges = [each for each in offered(battle) if each.do == ("charge",)]

    assert [each.when[0].within for each in charges] == [within]


@pytest.mark.parametrize(("gap", "count"), [(44.5, 2), (45.5, 0)])
def test_an_unarmed_man_is_offered_notes_for_enemies_within_three_moves(
    field_of_battle: Build, gap: float, count: int
) -> None:
    battle = field_of_battle(me(), foe(y=101 + gap))

    assert len(offered(battle)) == count


@pytest.mark.parametrize(("gap", "count"), [(64.5, 6), (65.5, 0)])
def test_a_thrower_is_offered_notes_for_enemies_within_three_moves_and_its_range(
    field_of_battle: Build, gap: float, count: int
) -> None:
    battle = field_of_battle(me(**THROWER), foe(y=101 + gap))

    assert len(offered(battle)) == count


def test_who_cannot_move_neither_charges_nor_takes_cover(field_of_battle: Build) -> None:
    battle = field_of_battle(me(**THROWER, movement=None), foe(y=120))

    assert offered(battle) == [
        shot("medium"), shot("medium", "normal move"), shot("short"), shot("long"),
    ]  # fmt: skip


def test_no_note_is_offered_for_enemies_that_the_side_does_not_know_of(
    field_of_battle: Build,
) -> None:
    ambush = {"kind": "forest", "box": (30, 115, 70, 140)}
    hidden = foe(states=["concealed"])

    assert offered(field_of_battle(me(), hidden, terrain=[ambush])) == []
    assert offered(field_of_battle(me(), hidden, foe(x=20), terrain=[ambush])) == [CHARGE, COVER]


@pytest.mark.parametrize(
    ("used", "left"),
    [
        ({"primary_used": 1}, [COVER]),
        ({"move_used": 1}, [shot("medium"), shot("short"), shot("long"), CHARGE]),
        ({"primary_used": 1, "move_used": 1}, []),
    ],
)
def test_only_actions_that_are_left_are_offered(
    field_of_battle: Build, used: dict[str, int], left: list[Note]
) -> None:
    battle = field_of_battle(me(**THROWER, put=used), foe())

    assert offered(battle) == left


def test_a_unit_may_show_its_own_notes_and_no_others(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(me(), me(60), foe())
    wrote(battle, play, 0, note("charge"))
    wrote(battle, play, 1, note("charge"))

    shown = {
        unit: [order.number for order in prepare_options(battle, unit) if order.verb == "show-note"]
        for unit in (0, 1)
    }

    mine, its = prepared_notes_of(battle)
    assert shown == {0: [mine.number], 1: [its.number]}
    assert mine.number != its.number


def test_a_note_that_has_been_shown_is_not_shown_again(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(me(), foe())
    wrote(battle, play, 0, note("charge"))
    (order,) = (order for order in prepare_options(battle, 0) if order.verb == "show-note")

    play(battle, carry_out(battle, 0, order))

    assert [order for order in prepare_options(battle, 0) if order.verb == "show-note"] == []
