"""Orders that name another unit, verb, place, weapon or note than the unit may be given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia.play.charges.preparing import NoteValidator
from emlia3d.rules.emlia.play.charges.structures import FeatureValidator
from emlia3d.rules.emlia.play.combat.volley import VolleyValidator
from emlia3d.rules.emlia.play.engagement.pushes import AnyWay
from emlia3d.rules.emlia.preparation import Note, NoteTrigger
from tests.rules.emlia.combat.volleys import archers, foes

Build = Callable[..., Battle]

CANNON = {"name": "Cannon", "base_damage": 5, "range": (20, 40, 80), "use": ("aimed fire",)}
STONES = {
    "name": "Stones", "base_damage": 5, "range": (10, 50, 90), "use": ("area volley",),
    "coverage": {"start": 1, "increment": 1, "limit": 1, "drift": 0},
}  # fmt: skip
GATE = {"kind": "gate", "name": "gate", "hits": 6, "height": 2, "box": (97, 60, 103, 62)}
HEDGE = {"kind": "hedge", "name": "hedge", "hits": 1, "height": 1, "box": (90, 50, 94, 51)}


def allowed(refusal: Any) -> bool:
    return refusal is None


@pytest.mark.rule("emlia.volley", "emlia.volley.point")
@pytest.mark.parametrize(
    ("order", "may"),
    [
        (Order(verb="area-volley", unit=0, number=0, point=(100, 60)), True),
        (Order(verb="area-volley", unit=0, number=0, point=(0, 0)), True),
        (Order(verb="area-volley", unit=0, number=0, point=(200, 60)), True),
        (Order(verb="area-volley", unit=2, number=0, point=(100, 60)), False),
        (Order(verb="concentrated-volley", unit=0, number=0, point=(100, 60)), False),
        (Order(verb="area-volley", unit=0, number=0), False),
        (Order(verb="area-volley", unit=0, number=1, point=(100, 60)), False),
        (Order(verb="area-volley", unit=0, number=-1, point=(100, 60)), False),
        (Order(verb="area-volley", unit=0, number=0, point=(200.5, 60)), False),
        (Order(verb="area-volley", unit=0, number=0, point=(-0.5, 60)), False),
        (Order(verb="area-volley", unit=0, number=0, point=(100, -0.5)), False),
        (Order(verb="area-volley", unit=0, number=0, point=(100, 200.5)), False),
    ],
)
def test_a_volley_is_loosed_by_the_unit_itself_with_its_weapon_at_a_place_on_the_field(
    field_of_battle: Build, order: Order, may: bool
) -> None:
    far = {"name": "Far", "base_damage": 1, "range": (40, 80, 250), "use": ("area volley",),
           "coverage": {"start": 1, "increment": 1, "limit": 1, "drift": 0}}  # fmt: skip
    battle = field_of_battle(archers(weapons=(far,)), foes((100, 60)), archers(at=(100, 10)))

    assert allowed(VolleyValidator(battle, 0).refusal(order)) is may


def fire(
    unit: int = 0, words: str = "gate", verb: str = "fire-feature", number: int | None = 0
) -> Order:
    return Order(verb=verb, unit=unit, number=number, words=words)


@pytest.mark.rule("emlia.terrain.entities", "emlia.fire", "emlia.conc", "emlia.charge")
@pytest.mark.parametrize(
    ("order", "may"),
    [
        (fire(), True),
        (fire(number=None), True),
        (fire(number=1), True),
        (fire(number=2), False),
        (fire(number=-1), False),
        (fire(unit=2), False),
        (fire(words="nothing"), False),
        (fire(words="hedge"), True),
        (fire(verb="aim-feature"), True),
        (fire(verb="hew"), False),
        (fire(verb="volley-feature"), True),
        (fire(verb="volley-feature", number=None), True),
        (fire(verb="volley-feature", number=1), False),
        (fire(verb="volley-feature", words="nothing"), False),
        (fire(verb="charge-feature", number=None), True),
        (fire(verb="charge-feature", unit=2), False),
    ],
)
def test_an_attack_on_a_feature_is_made_by_the_unit_itself_with_its_weapon(
    field_of_battle: Build, order: Order, may: bool
) -> None:
    gun = {
        "at": (100, 48), "weapons": (CANNON, {**CANNON, "name": "Second"}, STONES),
        "formation": "close",
        "skills": {"aimed fire": "2", "volley fire": "2", "close combat": "2"},
    }  # fmt: skip
    far = {"side": "Bob", "at": (100, 195), "facing": 180}
    battle = field_of_battle(gun, far, {**gun, "at": (90, 40)}, terrain=[GATE, HEDGE])

    assert allowed(FeatureValidator(battle, 0).refusal(order)) is may


@pytest.mark.rule("emlia.prepare", "emlia.prepare.conditions")
@pytest.mark.parametrize(
    ("note", "may"),
    [
        ({"when": [{"within": 5}], "do": ["take cover"]}, True),
        ({"when": [{"who": 1, "within": 5}], "do": ["take cover"]}, True),
        ({"when": [{"who": 2, "within": 5}], "do": ["take cover"]}, True),
        ({"when": [{"who": 0, "within": 5}], "do": ["take cover"]}, False),
        ({"when": [{"who": 3, "within": 5}], "do": ["take cover"]}, False),
        ({"when": [{"who": 4, "within": 5}], "do": ["take cover"]}, False),
        ({"when": [{"who": 5, "within": 5}], "do": ["take cover"]}, False),
        ({"when": [{"band": "short", "weapon": 1}], "do": ["aimed fire"]}, True),
        ({"when": [{"band": "short", "weapon": 2}], "do": ["aimed fire"]}, False),
        ({"when": [{"within": 5}, {"who": 4, "within": 5}], "do": ["take cover"]}, False),
        ({"when": [{"within": 5}], "do": ["aimed fire", "normal move"]}, True),
        ({"when": [{"within": 5}], "do": ["aimed fire", "charge"]}, False),
        ({"when": [{"within": 5}], "do": ["normal move", "normal move"]}, False),
    ],
    ids=[
        "anyone", "an enemy", "a friend", "itself", "an unknown enemy", "one too many",
        "no such unit", "the second weapon", "no such weapon", "one of two is unknown",
        "both actions", "two primary actions", "two moves",
    ],
)  # fmt: skip
def test_a_note_names_others_that_the_side_knows_weapons_and_actions_that_the_unit_has(
    field_of_battle: Build, note: dict[str, Any], may: bool
) -> None:
    wall = {"kind": "building", "box": (140, 20, 160, 24)}
    battle = field_of_battle(
        {"at": (100, 20), "weapons": (CANNON, CANNON), "skills": {"aimed fire": "2"}},
        foes((100, 60)),
        {"at": (90, 20)},
        foes((150, 30)),
        terrain=[wall, {**wall, "box": (140, 36, 160, 40)}, {**wall, "box": (134, 20, 138, 40)},
                 {**wall, "box": (162, 20, 166, 40)}],
    )  # fmt: skip
    when = tuple(NoteTrigger(**one) for one in note["when"])
    order = Order(verb="prepare", unit=0, words=Note(when=when, do=tuple(note["do"])).written())
    reach = NoteValidator(battle, 0)

    assert allowed(reach.refusal(order)) is may
    assert not allowed(reach.refusal(Order(verb="prepare", unit=1, words=order.words)))
    assert not allowed(reach.refusal(Order(verb="show-note", unit=0, words=order.words)))
    assert not allowed(reach.refusal(Order(verb="prepare", unit=0, target=1, words=order.words)))


@pytest.mark.rule("emlia.prepare", "emlia.prepare.expiry", "emlia.activate.free-repeat")
@pytest.mark.parametrize(
    ("put", "do", "may"),
    [
        ({}, ("charge",), True),
        ({}, ("take cover",), True),
        ({"move_used": 1}, ("take cover",), False),
        ({"move_used": 1}, ("aimed fire",), True),
        ({"primary_used": 1}, ("aimed fire",), False),
        ({"primary_used": 1}, ("normal move",), True),
        ({"disordered": 1}, ("normal move",), False),
    ],
)
def test_a_note_forfeits_an_action_that_the_unit_still_has(
    field_of_battle: Build, put: dict[str, int], do: tuple[Any, ...], may: bool
) -> None:
    unit = {"at": (100, 20), "weapons": (CANNON,), "skills": {"aimed fire": "2"}, "put": put}
    battle = field_of_battle(unit, foes((100, 60)))
    note = Note(when=(NoteTrigger(within=5),), do=do)
    order = Order(verb="prepare", unit=0, words=note.written())

    assert allowed(NoteValidator(battle, 0).refusal(order)) is may


@pytest.mark.rule("emlia.skirmish.shift")
@pytest.mark.parametrize(
    ("order", "may"),
    [
        (Order(verb="shift", unit=4, number=0), True),
        (Order(verb="shift", unit=4, number=359), True),
        (Order(verb="shift", unit=4, number=360), False),
        (Order(verb="shift", unit=4, number=-1), False),
        (Order(verb="shift", unit=4), False),
        (Order(verb="shift", unit=3, number=0), False),
        (Order(verb="push", unit=4, number=0), False),
    ],
)
def test_a_skirmish_is_shifted_by_a_whole_degree(order: Order, may: bool) -> None:
    assert allowed(AnyWay(4).refusal(order)) is may
