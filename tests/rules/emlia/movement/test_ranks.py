"""Breaking ranks as a move action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.force import Formation
from emlia3d.rules.emlia.play.engagement import ranks
from emlia3d.rules.emlia.play.situation.pose import gone, pose_of, reformed
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import activation

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

BLOCK = {"formation": "ranked", "members": 8, "files": 4, "front": (100, 100)}


def verbs(battle: Battle, unit: int = 0) -> set[str]:
    return {order.verb for order in activation.options_of(battle, unit)}


@pytest.mark.rule("emlia.form.break-ranks")
def test_a_ranked_unit_breaks_its_ranks_for_its_move(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(BLOCK)

    play(battle, activation.activate(battle, 0), answers=["break-ranks", ...])

    units = battle.state.units
    assert units.integer("formation", 0) == Formation.CLOSE
    assert units.value("move_used", 0) == 1
    assert (units.value("x", 0), units.value("y", 0)) == (100, 100)


@pytest.mark.rule("emlia.form.break-ranks")
def test_who_has_moved_or_stands_in_no_ranks_does_not(field_of_battle: Build) -> None:
    assert "break-ranks" in verbs(field_of_battle(BLOCK))
    assert "break-ranks" not in verbs(field_of_battle({**BLOCK, "put": {"move_used": 1}}))
    assert "break-ranks" not in verbs(field_of_battle({**BLOCK, "formation": "close"}))


@pytest.mark.rule("emlia.form.break-ranks", "emlia.ranked.enveloped-break")
@pytest.mark.rule("emlia.freestrike.trigger")
def test_an_enveloped_unit_breaks_ranks_while_enemies_strike_at_it(
    field_of_battle: Build, play: Play
) -> None:
    foe = {
        "side": "Bob",
        "skills": {"close combat": "1"},
        "formation": "ranked",
        "members": 2,
        "files": 2,
    }
    battle = field_of_battle(
        BLOCK,
        {**foe, "front": (100, 101), "facing": 180},
        {**foe, "front": (97, 99), "facing": 90},
    )
    (order,) = ranks.break_ranks_options(battle, 0)

    events = play(
        battle, ranks.break_ranks(battle, 0, order), [1, 1], ["close-combat", "close-combat"]
    )

    assert [event.name for event in events].count("struck free") == 2
    assert battle.state.units.integer("formation", 0) == Formation.CLOSE
    assert not situation_of(battle).outline(0).intersects(situation_of(battle).outline(1))
    assert not situation_of(battle).outline(0).intersects(situation_of(battle).outline(2))


@pytest.mark.rule("emlia.form.break-ranks")
def test_riders_who_break_their_ranks_come_out_of_their_files_but_not_into_others(
    field_of_battle: Build, play: Play
) -> None:
    riders = {**BLOCK, "members": 3, "files": 3, "model": "rider", "base": (1.5, 3.0)}
    others = {**riders, "front": (102.375, 100)}
    battle = field_of_battle(riders, others)

    (order,) = ranks.break_ranks_options(battle, 0)
    play(battle, ranks.break_ranks(battle, 0, order))

    ours, theirs = (situation_of(battle).outline(unit) for unit in (0, 1))
    assert ours.buffer(-1 / 32).disjoint(theirs)


@pytest.mark.rule("emlia.form.break-ranks")
def test_a_block_that_is_hemmed_in_stands_deeper_once_its_ranks_are_broken(
    field_of_battle: Build, play: Play
) -> None:
    beside = {"formation": "ranked", "members": 8, "files": 2}
    battle = field_of_battle(
        BLOCK, {**beside, "front": (96.9, 100)}, {**beside, "front": (103.1, 100)}
    )
    (order,) = ranks.break_ranks_options(battle, 0)

    play(battle, ranks.break_ranks(battle, 0, order))

    assert battle.state.units.integer("files", 0) < 4


@given(beside=st.integers(0, 40), files=st.integers(2, 6), behind=st.sampled_from([1.0, 2.6, 8.0]))
@settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_in_as_many_files_ranks_are_broken_as_there_is_room_for_all_that_the_men_take_up(
    field_of_battle: Build, beside: int, files: int, behind: float
) -> None:
    east, south = 100 + files / 2 + beside / 16, 100 - 8 / files - behind
    rocks = [
        {"kind": "rock", "box": (east, 90, east + 1, 110)},
        {"kind": "rock", "box": (90, south - 1, 110, south)},
    ]
    battle = field_of_battle({**BLOCK, "files": files}, terrain=rocks)
    pose = pose_of(battle, 0)

    fitting = []
    for fewer in range(files, 0, -1):
        end = reformed(pose, Formation.CLOSE, fewer)
        body = gone(end, 0, -1 / 64).outline.buffer(-1 / 64)
        if not shapely.intersects(body, [shapely.box(*rock["box"]) for rock in rocks]).any():
            fitting.append(end)

    assert ranks.broken_pose(battle, 0) == (fitting[0] if fitting else None)


@pytest.mark.rule("emlia.ranked.enveloped-break")
@pytest.mark.parametrize(
    ("foes", "enveloped"),
    [
        ([], False),
        ([((100, 101), 180)], False),
        ([((98.6, 101), 180), ((101.4, 101), 180)], False),
        ([((97, 99), 90)], False),
        ([((100, 101), 180), ((97, 99), 90)], True),
        ([((97, 99), 90), ((103, 99), 270)], True),
        ([((100, 101), 180), ((97, 99), 90), ((103, 99), 270)], True),
    ],
)
def test_who_is_engaged_on_several_sides_breaks_ranks_as_enveloped(
    field_of_battle: Build, play: Play, foes: list[Any], enveloped: bool
) -> None:
    two = {"side": "Bob", "formation": "ranked", "members": 2, "files": 2}
    battle = field_of_battle(
        BLOCK, *({**two, "front": front, "facing": facing} for front, facing in foes)
    )
    (order,) = ranks.break_ranks_options(battle, 0)

    events = play(battle, ranks.break_ranks(battle, 0, order), answers=["hold-back"] * len(foes))

    (broke,) = [event for event in events if event.name == "broke ranks"]
    named = ["emlia.form.break-ranks", "emlia.action.basic-list.break-ranks", "emlia.form.close"]
    assert list(broke.because) == named + ["emlia.ranked.enveloped-break"] * enveloped
    assert not broke.part_of_last
    assert battle.state.units.value("move_used", 0) == 1
