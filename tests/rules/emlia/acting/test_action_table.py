"""Chapter 4 as play: each row of the table of actions decides what play allows and uses up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order, Procedure, advance
from emlia3d.battle.dice import SeededDice
from emlia3d.rules.emlia.actions import ActionType, free_bit
from emlia3d.rules.emlia.play.acting.actions import may_take
from emlia3d.rules.emlia.play.acting.subjects import may_target
from emlia3d.rules.emlia.play.charges.preparing import NoteValidator
from emlia3d.rules.emlia.play.turn import activation
from emlia3d.rules.emlia.preparation import Note, NoteTrigger

Build = Callable[..., Battle]

BOW = {
    "name": "Bow", "base_damage": 1, "range": (20, 60, 100), "use": ("aimed fire", "area volley"),
    "coverage": {"start": 1, "increment": 1, "limit": 1, "drift": 0},
}  # fmt: skip
SKILLS = {
    "aimed fire": "1", "volley fire": "1", "close combat": "1", "leadership": "1",
    "alertness": "1", "stealth": "1",
}  # fmt: skip
ACTOR: dict[str, Any] = {
    "at": (50, 50), "members": 4, "files": 2, "formation": "close", "weapons": (BOW,),
    "skills": SKILLS, "army_value": 5,
}  # fmt: skip
FRIEND: dict[str, Any] = {"at": (57, 50), "skills": {"close combat": "1"}}
FOE: dict[str, Any] = {"side": "Bob", "at": (50, 62), "facing": 180}
NEAR: dict[str, Any] = {"side": "Bob", "at": (50, 52.4), "facing": 180}
WALL = {"kind": "rock", "height": 3, "box": (40, 53, 60, 54)}
HEDGE = {"kind": "shrub", "height": 2, "box": (40, 54, 60, 55)}
SCREEN = {"kind": "rock", "height": 3, "box": (53.5, 52, 58.5, 53)}
"""It hides the foe from the friend, not from the actor."""


def scene(
    build: Build, *others: dict[str, Any], terrain: tuple[Any, ...] = (), **more: Any
) -> Battle:
    return build({**ACTOR, **more}, *others, terrain=terrain)


SCENES: dict[str, Callable[[Build], Battle]] = {
    "open": lambda build: scene(build, FRIEND, FOE),
    "prone": lambda build: scene(build, FRIEND, FOE, put={"posture": 1}),
    "wall": lambda build: scene(build, FRIEND, FOE, terrain=(WALL,)),
    "ranks": lambda build: scene(build, FRIEND, FOE, formation="ranked"),
    "hedge": lambda build: scene(build, FRIEND, FOE, terrain=(HEDGE,)),
    "low": lambda build: scene(build, {**FRIEND, "put": {"morale": 0}}, FOE),
    "screen": lambda build: scene(build, FRIEND, FOE, terrain=(SCREEN,)),
    "fight": lambda build: scene(build, FRIEND, NEAR, {**NEAR, "at": (51.5, 52.4)}),
    "rout": lambda build: scene(build, {**FRIEND, "put": {"morale": -5}}, FOE),
    "disorder": lambda build: scene(build, {**FRIEND, "put": {"disordered": 1}}, FOE),
}

ROWS = [
    # key, verb, scene, what it uses up, what bars it if used already; m, p and f
    ("double-pace", "double-pace", "open", "m", "mpf"),
    ("normal-move", "move", "open", "m", "m"),
    ("drop-down", "drop-down", "open", "m", "m"),
    ("stand-up", "stand-up", "prone", "m", "m"),
    ("take-cover", "take-cover", "wall", "m", "m"),
    ("break-ranks", "break-ranks", "ranks", "m", "m"),
    ("conceal-self", "conceal-self-move", "hedge", "m", "m"),
    ("conceal-self", "conceal-self-primary", "hedge", "p", "p"),
    ("improve-morale", "improve-morale", "low", "m", "m"),
    ("improve-morale", "improve-morale-primary", "low", "p", "p"),
    ("pass-awareness", "pass-awareness", "screen", "m", "m"),
    ("pass-awareness", "pass-awareness-primary", "screen", "p", "p"),
    ("aimed-fire", "fire", "open", "p", "p"),
    ("area-volley", "area-volley", "open", "mp", "mp"),
    ("concentrated-volley", "concentrated-volley", "open", "mp", "mp"),
    ("close-combat", "close-combat", "fight", "p", "p"),
    ("charge", "charge", "open", "p", "p"),
    ("disengage-distract", "disengage", "fight", "p", "p"),
    ("ignore-initiative", "ignore-initiative", "rout", "f", "f"),
    ("ignore-morale", "ignore-initiative", "rout", "f", "f"),
    ("reorder", "reorder", "disorder", "f", "f"),
    ("take-command", "take-command", "open", "f", "f"),
    ("join-units", "join-units", "open", "f", "f"),
    ("split-unit", "split-unit", "open", "f", "f"),
    ("detect-hidden", "detect-hidden", "open", "f", "f"),
]


def name_of(key: str) -> str:
    return "disengage/distract" if key == "disengage-distract" else key.replace("-", " ")


def offered(battle: Battle, verb: str) -> list[Order]:
    return [order for order in activation.options_of(battle, 0) if order.verb == verb]


def run(battle: Battle, procedure: Procedure[None]) -> None:
    """Play a procedure to its end; every question gets its first option."""
    battle.dice = SeededDice(1, 0)
    answer: Order | None = None
    while True:
        try:
            said = advance(procedure, answer)
        except StopIteration:
            return
        answer = said.options[0] if isinstance(said, Decision) else None
        if not isinstance(said, Decision):
            battle.happen(said)


def spent(battle: Battle, name: str) -> str:
    units = battle.state.units
    found = ("m" if units.value("move_used", 0) else "") + (
        "p" if units.value("primary_used", 0) else ""
    )
    return found + ("f" if units.integer("free_used", 0) & free_bit(name) else "")


def ids(row: tuple[str, ...]) -> str:
    return row[1] if row[1].startswith(row[0][:4]) else row[0]


@pytest.mark.parametrize(
    ("key", "verb", "where", "uses", "barred_by"),
    [
        pytest.param(*row, id=ids(row), marks=pytest.mark.rule(f"emlia.action.basic-list.{row[0]}"))
        for row in ROWS
    ],
)
def test_an_action_uses_up_what_its_row_says_and_needs_it_unused(
    field_of_battle: Build, put: Any, key: str, verb: str, where: str, uses: str, barred_by: str
) -> None:
    name = name_of(key)
    columns = {"m": {"move_used": 1}, "p": {"primary_used": 1}, "f": {"free_used": free_bit(name)}}
    bars = ""
    for letter, cells in columns.items():
        battle = SCENES[where](field_of_battle)
        assert offered(battle, verb)
        put(battle, 0, **cells)
        bars += "" if offered(battle, verb) else letter
    battle = SCENES[where](field_of_battle)
    order = offered(battle, verb)[0]

    run(battle, activation.carry_out(battle, 0, order))

    assert bars == barred_by
    assert spent(battle, name) == uses


@pytest.mark.rule("emlia.action.basic-list.pass-awareness", "emlia.aware.pass.free")
def test_passing_awareness_is_free_after_a_ranged_attack(field_of_battle: Build) -> None:
    battle = SCENES["screen"](field_of_battle)
    assert not offered(battle, "pass-awareness-free")
    run(battle, activation.carry_out(battle, 0, offered(battle, "fire")[0]))

    run(battle, activation.carry_out(battle, 0, offered(battle, "pass-awareness-free")[0]))

    assert spent(battle, "pass awareness") == "pf"
    assert not offered(battle, "pass-awareness-free")


@pytest.mark.rule("emlia.action.basic-list.delay")
@pytest.mark.parametrize("used", [{}, {"primary_used": 1}])
def test_delay_is_free(field_of_battle: Build, used: dict[str, int]) -> None:
    battle = scene(field_of_battle, FRIEND, FOE, put=used)

    assert activation.may_delay(battle, 0) is None
    battle.happen(activation.delayed(battle, 0, 1))

    assert spent(battle, "delay") == ("p" if used else "")


@pytest.mark.rule("emlia.action.basic-list.prepare-actions")
@pytest.mark.parametrize(
    ("do", "used", "left"),
    [("take cover", "primary_used", "mp"), ("aimed fire", "move_used", "mp")],
)
def test_prepare_actions_is_free_but_for_what_it_forfeits(
    field_of_battle: Build, do: Any, used: str, left: str
) -> None:
    battle = scene(field_of_battle, FRIEND, FOE, put={used: 1})
    note = Note(when=(NoteTrigger(within=5.0),), do=(do,))
    order = Order(verb="prepare", unit=0, words=note.written())

    assert NoteValidator(battle, 0).refusal(order) is None
    run(battle, activation.carry_out(battle, 0, order))

    assert spent(battle, "prepare actions") == left


@pytest.mark.rule("emlia.action.basic-list", "emlia.action.basic-list.aimed-fire")
def test_an_action_is_refused_as_a_type_that_its_row_does_not_name(field_of_battle: Build) -> None:
    battle = scene(field_of_battle, FRIEND, FOE)

    refusal = may_take(battle, 0, "aimed fire", ActionType.MOVE)

    assert refusal is not None
    assert refusal.slug == "emlia.action.basic-list"
    assert may_take(battle, 0, "improve morale", ActionType.PRIMARY) is None


ITSELF, FRIENDLY, PAIR, KNOWN, BOTH, UNKNOWN, POINT, NOTHING = (
    "itself", "friend", "two friends", "known enemy", "two enemies", "unknown enemy", "point",
    "nothing",
)  # fmt: skip
SELF = {ITSELF, NOTHING}
SUBJECTS = {
    "double-pace": SELF,
    "normal-move": SELF,
    "drop-down": SELF,
    "stand-up": SELF,
    "take-cover": SELF,
    "break-ranks": SELF,
    "conceal-self": SELF,
    "improve-morale": {ITSELF, FRIENDLY},
    "pass-awareness": {KNOWN},
    "aimed-fire": {KNOWN},
    "area-volley": {POINT},
    "concentrated-volley": {KNOWN},
    "close-combat": {KNOWN, BOTH},
    "charge": {KNOWN},
    "disengage-distract": {KNOWN, BOTH},
    "ignore-initiative": {ITSELF, FRIENDLY},
    "ignore-morale": {ITSELF, FRIENDLY},
    "reorder": {ITSELF, FRIENDLY},
    "take-command": {ITSELF, FRIENDLY},
    "join-units": {PAIR},
    "split-unit": {ITSELF, FRIENDLY},
    "delay": SELF,
    "prepare-actions": SELF,
    "detect-hidden": {UNKNOWN},
}


@pytest.fixture(scope="module")
def crowd(field_of_battle: Build) -> Battle:
    """The actor, a friend, two enemies that it sees, and one behind a wall."""
    others = ({**FOE, "at": (46, 62)}, {**FOE, "at": (150, 150)})
    wall = {"kind": "rock", "height": 5, "box": (140, 140, 145, 160)}
    wall_south = {"kind": "rock", "height": 5, "box": (130, 135, 165, 140)}
    return scene(field_of_battle, FRIEND, FOE, *others, terrain=(wall, wall_south))


@pytest.mark.rule("emlia.action.source-subject", "emlia.action.subject-awareness")
@pytest.mark.parametrize(
    ("key", "allowed"),
    [
        pytest.param(key, some, id=key, marks=pytest.mark.rule(f"emlia.action.basic-list.{key}"))
        for key, some in SUBJECTS.items()
    ],
)
def test_an_action_is_done_to_what_its_row_says(crowd: Battle, key: str, allowed: set[str]) -> None:
    units = {
        ITSELF: (0,), FRIENDLY: (1,), PAIR: (0, 1), KNOWN: (2,), BOTH: (2, 3), UNKNOWN: (4,),
        POINT: (), NOTHING: (),
    }  # fmt: skip

    found = {
        what
        for what, rows in units.items()
        if may_target(crowd, 0, name_of(key), *rows, point=(60.0, 60.0) if what == POINT else None)
        is None
    }

    assert found == allowed


@pytest.mark.rule("emlia.action.source-subject")
@pytest.mark.parametrize(
    ("key", "verb", "targets"),
    [
        ("improve-morale", "improve-morale", {0, 1}),
        ("pass-awareness", "pass-awareness", {2}),
        ("aimed-fire", "fire", {2, 3}),
        ("concentrated-volley", "concentrated-volley", {2, 3}),
        ("charge", "charge", {2, 3}),
        ("take-command", "take-command", {1}),
        ("split-unit", "split-unit", {0}),
        ("area-volley", "area-volley", {None}),
        ("conceal-self", "conceal-self-move", {None}),
        ("detect-hidden", "detect-hidden", {None}),
    ],
)
def test_orders_on_offer_name_the_subjects_of_the_row(
    field_of_battle: Build, key: str, verb: str, targets: set[int | None]
) -> None:
    others = ({**FOE, "at": (44, 62)}, {**FOE, "at": (150, 150)})
    wall = {"kind": "rock", "height": 5, "box": (140, 140, 145, 160)}
    wall_south = {"kind": "rock", "height": 5, "box": (130, 135, 165, 140)}
    screen = {"kind": "rock", "height": 3, "box": (54.9, 52, 58, 53)}
    tree = {"kind": "shrub", "height": 2, "box": (120, 120, 160, 121)}
    battle = scene(
        field_of_battle, {**FRIEND, "put": {"morale": 0}}, FOE, *others,
        terrain=(wall, wall_south, screen, tree),
    )  # fmt: skip

    assert {order.target for order in offered(battle, verb)} == targets, key
