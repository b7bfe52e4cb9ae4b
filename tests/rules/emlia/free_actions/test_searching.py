"""Chapter 20 as play: hidden enemies are searched for and found, and what makes that easier."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Belong, Pair
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.basics.arcs import Arc
from emlia3d.rules.emlia.play.free_actions import hiding
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.turn.activation import activate, options_of
from tests.rules.emlia.free_actions.sneaking import HEDGE, HOUSE, SCOUT, SNEAK, let_hide, verbs

Build = Callable[..., Battle]
Play = Callable[..., list[Event]]


def detect(target: int | None = 1) -> Order:
    return Order(verb="detect-hidden", unit=0, target=target)


@pytest.mark.rule("emlia.aware.detect", "emlia.aware.conceal-self.count")
@pytest.mark.parametrize(
    ("kept", "terrain", "faces", "found"),
    [
        (2, HEDGE, (4, 4, 1, 1), False),
        (2, HEDGE, (4, 4, 4, 1), True),
        (2, HOUSE, (6, 6, 6, 1), False),
        (2, HOUSE, (6, 6, 6, 6), True),
        (0, HOUSE, (6, 1, 1, 1), False),
        (0, HOUSE, (6, 6, 1, 1), True),
        (0, HEDGE, (3, 3, 3, 3), False),
        (0, HEDGE, (4, 1, 1, 1), True),
    ],
)
def test_a_search_finds_with_more_successes_than_it_hid_with(
    field_of_battle: Build, play: Play, kept: int, terrain: Any, faces: Any, found: bool
) -> None:
    """At 19 GSU +1, and -2 where it is wholly concealed; it is unaware behind a house: +1 more."""
    sneak = {**SNEAK, "at": (100, 90), "put": {"hid": kept}, "states": ["concealed"]}
    battle = field_of_battle({**SCOUT, "at": (100, 71)}, sneak, terrain=[terrain])

    events = play(battle, hiding.detect(battle, 0, detect()), dice=faces)

    assert is_aware(battle, 0, 1) is found
    assert events[-1].name == ("detected" if found else "searched")
    assert events[-1].facts.needed == kept + 1 + (terrain is HOUSE)


@pytest.mark.rule("emlia.aware.detect", "emlia.activate.free-actions")
def test_searching_is_free_and_done_once(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(SCOUT, {**SNEAK, "states": ["concealed"]}, terrain=[HEDGE])

    play(battle, hiding.detect(battle, 0, detect(None)), dice=[1, 1, 1, 1])

    units = battle.state.units
    assert (units.value("move_used", 0), units.value("primary_used", 0)) == (0, 0)
    assert "detect-hidden" not in verbs(battle, 0)


@pytest.mark.rule("emlia.aware.picture", "emlia.aware.detect")
def test_a_search_is_on_offer_whether_or_not_anyone_hides(
    field_of_battle: Build, play: Play
) -> None:
    there = field_of_battle(SCOUT, {**SNEAK, "states": ["concealed"]}, terrain=[HEDGE])
    nobody = field_of_battle(SCOUT, {**SNEAK, "at": (10, 10)}, terrain=[HEDGE])

    searches = [
        [order for order in options_of(battle, 0) if order.verb == "detect-hidden"]
        for battle in (there, nobody)
    ]
    events = play(nobody, hiding.detect(nobody, 0, detect(None)))

    assert searches[0] == searches[1] == [detect(None)]
    assert events[-1].target is None


@pytest.mark.rule("emlia.aware.detect", "emlia.aware.detect.impossible")
def test_one_whom_others_know_can_be_searched_for_by_name_where_he_can_be_found(
    field_of_battle: Build,
) -> None:
    other = {"at": (150, 100)}
    near, far = (
        field_of_battle({**SCOUT, "at": (100, y)}, {**SNEAK, "at": (100, 85)}, other,
                        terrain=[HOUSE])
        for y in (70, 60)
    )  # fmt: skip

    assert detect() in options_of(near, 0)
    assert detect() not in options_of(far, 0)
    assert detect(None) in options_of(far, 0)


@pytest.mark.rule("emlia.aware.state")
def test_what_was_found_is_known_to_the_end_of_the_next_activation(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(SCOUT, {**SNEAK, "at": (100, 85)}, terrain=[HOUSE])
    play(battle, activate(battle, 0), dice=[12, 12, 1, 1], answers=[detect(None), ...])
    after_finding = is_aware(battle, 0, 1)
    play(battle, activate(battle, 0), answers=["done"])
    after_the_next = is_aware(battle, 0, 1)

    assert (after_finding, after_the_next) == (True, False)
    assert hiding.search_of(battle, 0, 1).was_aware


@pytest.mark.rule("emlia.aware.state", "emlia.aware.conceal-self")
def test_hiding_anew_undoes_what_was_found(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(SCOUT, {**SNEAK, "at": (100, 85)}, terrain=[HOUSE])
    play(battle, hiding.detect(battle, 0, detect()), dice=[12, 12, 1, 1])
    found = is_aware(battle, 0, 1)

    let_hide(battle, play)

    assert (found, is_aware(battle, 0, 1)) == (True, False)


@pytest.mark.rule("emlia.aware.detect.mod.moved")
def test_a_march_is_remembered_until_the_next_activation(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(SCOUT, SNEAK, terrain=[HEDGE])

    play(battle, activate(battle, 1), answers=["move", ...])
    after_marching = hiding.search_of(battle, 0, 1).moved
    play(battle, activate(battle, 1), answers=["done"])

    assert (after_marching, hiding.search_of(battle, 0, 1).moved) == (True, False)


@pytest.mark.rule("emlia.aware.detect.mod.was-aware")
def test_whom_a_unit_knew_when_its_last_activation_ended_it_finds_more_easily(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(SCOUT, SNEAK, terrain=[HEDGE])
    play(battle, activate(battle, 0), answers=["done"])
    let_hide(battle, play)

    found = hiding.search_of(battle, 0, 1).was_aware
    play(battle, activate(battle, 0), answers=["done"])

    assert (found, hiding.search_of(battle, 0, 1).was_aware) == (True, False)


@pytest.mark.rule("emlia.aware.detect.mod.acted-upon", "emlia.aware.detect.mod.acted-on-known")
@pytest.mark.parametrize(
    ("source", "subject", "row"),
    [(2, 1, "acted_upon"), (3, 1, ""), (1, 2, "acted_on_known"), (1, 3, ""), (0, 1, "acted_upon")],
)
def test_deeds_tell_of_a_hidden_enemy_only_if_the_other_party_is_known(
    field_of_battle: Build, source: int, subject: int, row: str
) -> None:
    wall = {"kind": "building", "box": (150, 20, 152, 120)}
    battle = field_of_battle(
        SCOUT, {**SNEAK, "states": ["concealed"]}, {"at": (80, 70)}, {"at": (170, 70)},
        terrain=[HEDGE, wall],
    )  # fmt: skip
    deed = Pair(column="acted_on", a=source, b=subject, value=1)
    battle.happen(Event(facts=Unread(event="put"), changes=(deed,)))

    search = hiding.search_of(battle, 0, 1)

    held = [name for name in ("acted_upon", "acted_on_known") if getattr(search, name)]
    assert held == ([row] if row else [])


@pytest.mark.rule("emlia.aware.detect.mod.acted-upon")
def test_who_acted_on_a_hidden_enemy_is_known_as_the_unit_that_he_has_joined(
    field_of_battle: Build,
) -> None:
    sneak = {**SNEAK, "states": ["concealed"]}
    battle = field_of_battle(SCOUT, sneak, {"at": (80, 70)}, {"at": (84, 70)}, terrain=[HEDGE])
    battle.happen(
        Event(
            facts=Unread(event="put"),
            changes=(
                Pair(column="acted_on", a=3, b=1, value=1),
                Belong(unit=3, parent=2),
            ),
        )
    )

    assert hiding.search_of(battle, 0, 1).acted_upon


@pytest.mark.rule("emlia.aware.detect.arcs", "emlia.aware.detect.mod.side-arc")
@pytest.mark.rule("emlia.aware.detect.mod.rear-arc")
@pytest.mark.parametrize(
    ("facing", "arcs", "arc"),
    [
        (0, (180, 45, 90), Arc.FRONT),
        (90, (180, 45, 90), Arc.FRONT),
        (225, (180, 45, 90), Arc.SIDE),
        (180, (180, 45, 90), Arc.REAR),
        (180, (360, 0, 0), Arc.FRONT),
    ],
)
def test_the_arcs_are_those_of_who_searches(
    field_of_battle: Build, facing: int, arcs: tuple[int, int, int], arc: Arc
) -> None:
    battle = field_of_battle({**SCOUT, "facing": facing, "arcs": arcs}, SNEAK, terrain=[HEDGE])

    assert hiding.search_of(battle, 0, 1).arc is arc


@pytest.mark.rule("emlia.aware.detect.mod.smaller", "emlia.aware.detect.mod.taking-cover")
def test_who_lies_down_behind_cover_is_smaller_and_taking_cover(field_of_battle: Build) -> None:
    sneak = {**SNEAK, "at": (100, 83), "states": ["prone", "taking cover"]}
    battle = field_of_battle(SCOUT, sneak, terrain=[HEDGE])

    search = hiding.search_of(battle, 0, 1)

    assert (search.subject_size, search.taking_cover) == (0.5, True)


@pytest.mark.rule("emlia.aware.detect", "emlia.aware.detect.mod.larger")
@pytest.mark.parametrize(
    ("south", "size", "modifier"),
    [
        (20, 4, +2), (20, 3, +1), (20, 0.25, -2),
        (20, 1, 0), (19.75, 1, +1), (60, 1, 0), (60.25, 1, -2),
    ],
)  # fmt: skip
def test_size_counts_by_whole_doublings_and_range_below_20_and_over_60(
    field_of_battle: Build, play: Play, south: float, size: float, modifier: int
) -> None:
    sneak = {**SNEAK, "size": size, "base": (2, 2), "states": ["concealed"]}
    battle = field_of_battle({**SCOUT, "at": (100, 100 - 1 - south)}, sneak, terrain=[HEDGE])

    *_, event = play(battle, hiding.detect(battle, 0, detect()), dice=[1, 1, 1, 1])

    assert event.facts.modifier == modifier
