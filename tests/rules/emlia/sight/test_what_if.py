"""What would alter a verdict: each answer is put to a scenario in which it is so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.answer import Answer
from emlia3d.battle.battle import Battle

Build = Callable[..., Battle]

ROCK = {"kind": "rock", "name": "rock", "height": 5, "box": (94, 78, 106, 84)}


def question(
    field_of_battle: Build, archers: dict[str, Any], bandits: dict[str, Any]
) -> Callable[[bool], Answer]:
    """Archers on 8, 28 GSU from a rock of 5; a bandit prone 20 GSU behind it."""
    high = {"name": "archers", "at": (100, 49.5), "on_height": 8, **archers}
    low = {"name": "bandits", "side": "Bob", "at": (100, 104.5), "states": ("prone",), **bandits}
    battle = field_of_battle(high, low, terrain=[ROCK])
    return lambda what_if: battle.system.sight(battle, 0, 1, 0, what_if)


def changes(answer: Answer) -> dict[tuple[str, str], tuple[float | None, str]]:
    assert answer.changes is not None
    return {(each.who, each.what): (each.amount, each.verdict) for each in answer.changes}


@pytest.mark.rule("emlia.sight.shadow-length", "emlia.sight.shadow-total-depth")
def test_what_would_alter_the_view_of_the_bandits(field_of_battle: Build) -> None:
    ask = question(field_of_battle, {}, {})
    assert (ask(False).concealment, ask(False).changes) == ("total", None)

    found = changes(ask(True))

    # Over 10 high the archers see over the rock from more than twice its height: 14 GSU of shadow.
    assert found["archers", "higher"] == (1.0625, "none")
    # So they do where the rock is less than half as high over the bandit's own footing.
    assert found["bandits", "higher"] == (1.0625, "none")
    assert ("bandits", "standing") not in found
    assert {what for _, what in found} == {"higher", "step left", "step right"}


@pytest.mark.rule("emlia.sight.shadow-total-depth")
def test_a_bandit_who_stands_up_is_seen_in_part(field_of_battle: Build) -> None:
    """His size is 1 then: 28 x (1 - 1/5) = 22.4 GSU hide him, and he is 24 behind the rock."""
    found = changes(question(field_of_battle, {}, {"at": (100, 108.5)})(True))

    assert found["bandits", "standing"] == (None, "partial")


@pytest.mark.parametrize(("who", "other"), [("archers", "bandits"), ("bandits", "archers")])
@pytest.mark.parametrize("what", ["step left", "step right"])
def test_a_step_is_enough_and_less_is_not(
    field_of_battle: Build, who: str, other: str, what: str
) -> None:
    found = changes(question(field_of_battle, {}, {})(True))
    amount, verdict = found[who, what]
    assert amount is not None
    east = amount if (what == "step right") == (who == "archers") else -amount

    def at(offset: float) -> str:
        x, y = (100, 49.5) if who == "archers" else (100, 104.5)
        moved = {who: {"at": (x + offset, y)}, other: {}}
        return question(field_of_battle, moved["archers"], moved["bandits"])(False).concealment

    nearer = east - 1 / 16 if east > 0 else east + 1 / 16
    assert at(east) == verdict
    assert at(nearer) == "total"


def test_nobody_steps_off_the_field_or_into_a_rock(field_of_battle: Build) -> None:
    corner = {"name": "corner", "at": (1, 100)}
    far = {"name": "far", "side": "Bob", "at": (1, 180)}
    rock = {"kind": "rock", "height": 5, "box": (2, 95, 40, 105)}
    wall = {"kind": "wall", "height": 5, "box": (0, 140, 60, 141)}

    battle = field_of_battle(corner, far, terrain=[rock, wall])

    found = changes(battle.system.sight(battle, 0, 1, 0, True))
    assert ("corner", "step left") not in found
    assert ("corner", "step right") not in found


def test_the_battle_itself_stays_as_it_is(field_of_battle: Build) -> None:
    battle = field_of_battle({"at": (100, 50)}, {"side": "Bob", "at": (100, 120)}, terrain=[ROCK])
    before, digest = battle.state.key_frame(), battle.digest.hexdigest()

    battle.system.sight(battle, 0, 1, 0, True)

    assert battle.state.key_frame() == before
    assert battle.digest.hexdigest() == digest
