"""Chapter 2 in play: where several formations fit, the player says which it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.force import Formation
from emlia3d.rules.emlia.play.acting import declaring
from emlia3d.rules.emlia.play.acting.declaring import fitting
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import phase
from emlia3d.rules.emlia.play.turn.activation import activate, options_of
from tests.rules.emlia.shoving import score
from tests.rules.emlia.troops import LONGBOW

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
Question = Callable[..., Decision]

RANKS: dict[str, Any] = {
    "members": 10, "files": 5, "formation": "ranked", "at": (50, 50), "movement": "15G",
    "weapons": [LONGBOW], "skills": {"volley fire": "3"},
}  # fmt: skip
BOB: dict[str, Any] = {"at": (50, 120), "side": "Bob", "facing": 180}


def declare(decision: Decision, formation: str) -> Order:
    number = int(Formation[formation.upper()])
    return next(o for o in decision.options if (o.verb, o.number) == ("declare", number))


def as_close(decision: Decision) -> Order:
    return declare(decision, "close")


def open_up(decision: Decision) -> Order:
    return declare(decision, "open")


def declarations(decision: Decision) -> list[str]:
    return [Formation(o.number or 0).name.lower() for o in decision.options if o.verb == "declare"]


def formation(battle: Battle, unit: int = 0) -> Formation:
    return Formation(battle.state.units.integer("formation", unit))


@pytest.mark.rule("emlia.entity.formation-ambiguity")
@pytest.mark.parametrize(
    ("unit", "fits"),
    [
        (RANKS, ["ranked", "close", "open"]),
        ({**RANKS, "formation": "close"}, ["close", "open"]),
        ({**RANKS, "formation": "open"}, ["open"]),
        ({"at": (50, 50)}, ["close", "open"]),
    ],
    ids=["ranks", "close", "open", "one man"],
)
def test_the_places_of_tight_men_fit_looser_formations_too(
    unit: dict[str, Any], fits: list[str], field_of_battle: Build
) -> None:
    battle = field_of_battle(unit, BOB)

    assert [each.name.lower() for each in fitting(battle, (0,))] == fits


@pytest.mark.rule("emlia.entity.formation-ambiguity")
@pytest.mark.parametrize(
    ("other", "fits"),
    [
        # Beside the first, 5 GSU wide and 2 deep: one rectangle.
        ({"at": (55, 50)}, ["ranked", "close", "open"]),
        ({"at": (45, 50)}, ["ranked", "close", "open"]),
        ({"at": (50, 52)}, ["ranked", "close", "open"]),
        ({"at": (50, 48)}, ["ranked", "close", "open"]),
        # Not in line, apart, about, or in no ranks.
        ({"at": (55, 51)}, ["close", "open"]),
        ({"at": (55.25, 50)}, ["close", "open"]),
        ({"at": (54, 52)}, ["close", "open"]),
        ({"at": (55, 50), "facing": 180}, ["close", "open"]),
        ({"at": (56, 50), "formation": "close"}, ["close", "open"]),
        ({"at": (50, 70)}, []),
    ],
)
def test_two_blocks_make_one_if_they_fill_a_rectangle_and_face_one_way(
    other: dict[str, Any], fits: list[str], field_of_battle: Build
) -> None:
    battle = field_of_battle(RANKS, {**RANKS, **other}, BOB)

    assert [each.name.lower() for each in fitting(battle, (0, 1))] == fits
    assert [each.name.lower() for each in fitting(battle, (1, 0))] == fits


@pytest.mark.rule("emlia.entity.formation-ambiguity")
@pytest.mark.parametrize(
    ("gap", "fits"), [(0.9, ["close", "open"]), (1.1, ["open"]), (9.9, ["open"]), (10.1, [])]
)
def test_the_gap_between_a_large_member_and_a_small_one_counts_from_edge_to_edge(
    field_of_battle: Build, gap: float, fits: list[str]
) -> None:
    small = {"at": (50, 50), "base": (2.0, 2.0)}
    large = {"at": (50 + 0.5 + gap + 2.0, 50), "base": (8.0, 8.0), "size": 4}
    battle = field_of_battle(small, large, BOB)

    for rows in ((0, 1), (1, 0)):
        assert [each.name.lower() for each in fitting(battle, rows)] == fits


@pytest.mark.rule("emlia.entity.formation-ambiguity")
@pytest.mark.parametrize(("formation", "in_ranks"), [("ranked", True), ("open", False)])
def test_a_man_in_no_ranks_makes_no_block_with_a_file_before_him(
    field_of_battle: Build, formation: str, in_ranks: bool
) -> None:
    file = {**RANKS, "members": 2, "files": 1}
    man = {**RANKS, "members": 1, "files": 1, "formation": formation, "at": (50, 48.5)}
    battle = field_of_battle(file, man, BOB)

    assert (Formation.RANKED in fitting(battle, (0, 1))) is in_ranks


@pytest.mark.rule("emlia.entity.formation-ambiguity")
def test_right_after_its_movement_a_unit_is_declared_and_nobody_moves_for_it(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(RANKS, BOB)
    offered: list[list[str]] = []

    def go(decision: Decision) -> Order:
        offered.append(declarations(decision))
        return next(option for option in decision.options if option.verb == "move")

    def name_it(decision: Decision) -> Order:
        offered.append(declarations(decision))
        before.append(situation_of(battle).places(0).copy())
        return as_close(decision)

    before: list[Any] = []
    play(battle, activate(battle, 0), answers=[go, name_it, ...])

    assert offered == [[], ["close", "open"]]
    assert formation(battle) is Formation.CLOSE
    assert np.array_equal(situation_of(battle).places(0), before[0])
    assert battle.state.units.value("move_used", 0)


@pytest.mark.rule("emlia.entity.formation-ambiguity", "emlia.conc")
def test_archers_who_came_up_in_ranks_loose_together_once_they_are_declared_close(
    field_of_battle: Build, play: Play, put: Callable[..., None]
) -> None:
    battle = field_of_battle(RANKS, BOB)
    play(battle, activate(battle, 0), answers=["move", as_close, ...])
    put(battle, 0, move_used=0)

    assert "concentrated-volley" in {order.verb for order in options_of(battle, 0)}


@pytest.mark.rule("emlia.entity.formation-ambiguity")
def test_who_declares_nothing_keeps_his_formation_and_may_not_name_it_later(
    field_of_battle: Build, play: Play
) -> None:
    rifle = {"name": "Rifle", "base_damage": 1, "range": (40, 80, 120)}
    battle = field_of_battle({**RANKS, "weapons": [rifle], "skills": {"aimed fire": "1"}}, BOB)

    play(battle, activate(battle, 0), dice=[1], answers=["move", "fire"])

    assert formation(battle) is Formation.RANKED


def after_force(battle: Battle, unit: int = 0) -> list[str]:
    """The formations offered to a unit that was forced to where it stands."""
    asked = next(declaring.declare_forced(battle, [unit]), None)
    return declarations(asked) if isinstance(asked, Decision) else []


@pytest.mark.rule("emlia.entity.formation-ambiguity", "emlia.form.change")
def test_nobody_is_declared_in_a_formation_for_which_there_is_no_room_or_in_a_fight(
    field_of_battle: Build,
) -> None:
    beside = {"at": (53.2, 50.5), "formation": "close"}
    hemmed = field_of_battle(RANKS, BOB, beside)
    free = field_of_battle(RANKS, BOB)
    fighting = field_of_battle(RANKS, {**BOB, "at": (50, 51.9)})
    at_the_edge = field_of_battle({**RANKS, "at": (2.6, 50)}, BOB)

    assert after_force(free) == ["close", "open"]
    assert after_force(fighting) == []
    assert after_force(hemmed) == []
    assert after_force(at_the_edge) == []


@pytest.mark.rule("emlia.entity.formation-ambiguity")
@pytest.mark.parametrize(
    ("answer", "named"),
    [(as_close, Formation.CLOSE), ("stand", Formation.RANKED)],
    ids=["declares", "keeps it"],
)
def test_a_unit_that_was_forced_is_declared_at_once_or_keeps_its_formation(
    answer: Any, named: Formation, field_of_battle: Build, play: Play, question: Question
) -> None:
    battle = field_of_battle(RANKS, {**BOB, "at": (50, 52), "formation": "close", "hits": 9})
    score(battle, [(1, 0, 4)])

    events = play(battle, phase.resolve(battle), answers=["give-way", "stand", answer, ...])

    assert ("declared" in [event.name for event in events]) is (named is Formation.CLOSE)
    assert formation(battle) is named
    assert declarations(question(battle, activate(battle, 0))) == []


@pytest.mark.rule("emlia.entity.formation-ambiguity")
def test_the_subunits_of_a_mixed_unit_are_declared_with_it_and_nobody_moves(
    field_of_battle: Build, play: Play
) -> None:
    spears = {**RANKS, "formation": "close", "name": "spears"}
    bows = {**spears, "name": "bows", "at": (50, 47.5), "group": "spears"}
    battle = field_of_battle(spears, bows, BOB)
    before = [situation_of(battle).alone(row)[1].copy() for row in (0, 1)]

    play(battle, declaring.declare_forced(battle, [0]), answers=[open_up])

    assert [formation(battle, row) for row in (0, 1)] == [Formation.OPEN, Formation.OPEN]
    for row in (0, 1):
        assert np.array_equal(situation_of(battle).alone(row)[1], before[row])


@pytest.mark.rule("emlia.entity.formation-ambiguity", "emlia.form.all")
def test_one_man_alone_may_be_declared_close(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle({"at": (50, 50), "movement": "15G"}, BOB)

    play(battle, activate(battle, 0), answers=["move", as_close, ...])

    assert formation(battle) is Formation.CLOSE
