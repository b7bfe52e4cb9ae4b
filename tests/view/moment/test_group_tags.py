"""Tags of units in groups: a leader's tag stands for those that follow it from afar."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from emlia3d.battle.apply import apply
from emlia3d.battle.changes import Leave
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.questions.cohesion import FormationTag
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.moment.banners import MOST_TAGGED, banners_of
from emlia3d.view.panda.labels.tags import FIGURE_M, NEAR_PX, RANK, have_tags


def led(setup: Setup, followers: int) -> tuple[Setup, State]:
    """A side of one leader and its followers, and a unit of the other side that follows one."""
    dragon = setup.units[2]

    def unit(name: str, side: int, place: int, leader: int):
        muster = replace(dragon.muster, name=name, side=side, at=(10.0 + 5 * place, 40.0))
        return replace(dragon, muster=muster, leader=leader)

    own = [unit("leader", 0, 0, -1), *(unit(f"f{n}", 0, n, 0) for n in range(1, followers + 1))]
    count = len(own)
    others = [unit("chief", 1, 1, -1), unit("squire", 1, 2, count)]
    there = replace(setup, units=(*own, *others))
    heights = [feature.height for feature in setup.field.features]
    return there, State.mustered([each.muster for each in there.units], 2, heights, ())


@pytest.mark.parametrize(("followers", "follow"), [(MOST_TAGGED - 1, False), (MOST_TAGGED, True)])
def test_followers_of_a_side_with_more_than_a_dozen_in_groups_follow(
    setup: Setup, followers: int, follow: bool
) -> None:
    *own, chief, squire = banners_of(*led(setup, followers))

    assert [banner.follows for banner in own] == [False, *[follow] * followers]
    assert not chief.follows
    assert not squire.follows, "its side has two"


def test_units_whose_leader_has_left_speak_for_themselves(setup: Setup) -> None:
    there, state = led(setup, MOST_TAGGED)
    apply(state, Event(facts=Unread(event="left"), changes=(Leave(unit=0),)))

    assert not any(banner.follows for banner in banners_of(there, state))


def test_a_follower_has_a_tag_if_it_is_chosen_active_or_near() -> None:
    pixels = 1000.0
    near, far = FIGURE_M * pixels / NEAR_PX - 1, FIGURE_M * pixels / NEAR_PX + 1
    rows = [
        (False, "plain", far, True),
        (True, "plain", far, False),
        (True, "plain", near, True),
        (True, "active", far, True),
        (True, "selected", far, True),
        (True, "broken", far, False),
    ]
    follows, emphases, away, expected = zip(*rows, strict=True)

    found = have_tags(
        np.array(follows), np.array([RANK[each] for each in emphases]), np.array(away), pixels
    )

    assert found.tolist() == list(expected)


def test_a_formation_has_one_tag_and_its_selected_unit_one_more(setup: Setup) -> None:
    there, state = led(setup, 3)
    tag = FormationTag(units=(0, 1, 2, 3), name="guard", text="4 of 6 units", left=4 / 6)

    leader, one, two, *_, chief, _ = banners_of(
        there, state, selected=2, active={1}, formations=[tag]
    )

    assert (leader.text, leader.subtext, leader.strength) == ("guard", "4 of 6 units", 4 / 6)
    assert (leader.joined, leader.emphasis) == (False, "active"), "one of its units is"
    assert (one.text, one.subtext, one.joined) == ("f1", "in guard", True)
    assert (two.joined, two.emphasis) == (True, "selected")
    assert (chief.text, chief.joined) == ("chief", False), "it is in no formation"


def test_all_banners_of_a_broken_formation_are_broken(setup: Setup) -> None:
    there, state = led(setup, 1)
    tag = FormationTag(units=(0, 1), name="guard", sign="broken")

    leader, follower, *_ = banners_of(there, state, formations=[tag])

    assert [leader.emphasis, follower.emphasis] == ["broken", "broken"]
    assert leader.despair == follower.despair == 1.0
