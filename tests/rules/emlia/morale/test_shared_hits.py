"""Hits on several units as on one are shared out among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append
from emlia3d.battle.decisions import Decision
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.columns import Armour
from emlia3d.rules.emlia.play.morale.allocation import HitMarker, Ties, markers_by_row, shares
from tests.rules.emlia.hitting import ATTACKER, crowd, hit, members, resolve

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


def hit_party(battle: Battle, subjects: tuple[int, ...], groups: list[tuple[int, int]]) -> None:
    """Hits on several units as on one: (hits, base damage) of each group."""
    for unit in subjects:
        row = {"party": 0, "unit": unit}
        battle.happen(Event(facts=Unread(event="party"), changes=(Append(table="party", row=row),)))
    for hits, base_damage in groups:
        hit(battle, hits, base_damage, subjects[0], party=0)


def decided(procedure: Any) -> Any:
    """What a procedure comes to where every question is answered with the first that is offered."""
    answer = None
    while True:
        try:
            answer = procedure.send(answer).options[0]
        except StopIteration as end:
            return end.value


@pytest.mark.rule("emlia.hits.skirmish", "emlia.hits.example-three")
def test_hits_on_a_side_of_a_skirmish_are_shared_as_on_a_mixed_unit(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(ATTACKER, crowd(8), crowd(2, x=110), crowd(1, x=120))
    hit_party(battle, (1, 2, 3), [(10, 1), (4, 5), (1, 4)])

    taken = {
        unit: {marker.base_damage: marker.hits for marker in markers}
        for unit, markers in decided(markers_by_row(battle)).items()
    }

    assert taken == {1: {1: 8, 5: 3, 4: 1}, 2: {1: 2}, 3: {5: 1}}


@pytest.mark.rule("emlia.hits.skirmish", "emlia.hits.example-two")
def test_equal_units_of_a_skirmish_take_hits_in_turn(field_of_battle: Build) -> None:
    battle = field_of_battle(ATTACKER, crowd(4), crowd(4, x=110))
    hit_party(battle, (1, 2), [(5, 0), (3, 1), (3, 4)])

    taken = {
        unit: {marker.base_damage: marker.hits for marker in markers}
        for unit, markers in decided(markers_by_row(battle)).items()
    }

    assert taken == {1: {0: 3, 1: 1, 4: 2}, 2: {0: 2, 1: 2, 4: 1}}


@pytest.mark.rule("emlia.hits.skirmish")
def test_who_struck_first_makes_no_difference_to_whose_hits_a_skirmish_takes(
    field_of_battle: Build,
) -> None:
    def taken(strikes: tuple[tuple[int, int], ...]) -> dict[int, list[tuple[int, int]]]:
        battle = field_of_battle(ATTACKER, {"at": (110, 50)}, crowd(5), crowd(1, x=120))
        hit_party(battle, (2, 3), [])
        for attacker, hits in strikes:
            hit(battle, hits, attacker=attacker, subject=2, party=0)
        shared = decided(markers_by_row(battle))
        return {unit: [(m.attacker, m.hits) for m in markers] for unit, markers in shared.items()}

    assert taken(((0, 5), (1, 7))) == taken(((1, 7), (0, 5)))


@pytest.mark.rule("emlia.hits.skirmish")
def test_who_has_left_the_skirmish_since_still_takes_his_share(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ATTACKER, crowd(5), crowd(5, x=180))
    hit_party(battle, (1, 2), [(4, 0)])

    resolve(battle, play)

    assert (members(battle, 1), members(battle, 2)) == (3, 3)


MARKERS = st.lists(
    st.builds(
        HitMarker,
        attacker=st.integers(0, 3),
        base_damage=st.integers(0, 3),
        hits=st.integers(1, 40),
        armour=st.sampled_from(Armour),
        unseen=st.booleans(),
    ),
    min_size=1,
    max_size=6,
)


@pytest.mark.rule("emlia.hits.skirmish")
@given(sizes=st.lists(st.integers(1, 30), min_size=1, max_size=5), markers=MARKERS)
def test_no_hit_is_lost_or_made_when_hits_are_shared(
    field_of_battle: Build, sizes: list[int], markers: list[HitMarker]
) -> None:
    battle = field_of_battle(
        ATTACKER, *(crowd(size, x=20 + 35 * n) for n, size in enumerate(sizes))
    )

    shared = decided(shares(battle, tuple(range(1, len(sizes) + 1)), markers))

    def counted(some: list[HitMarker]) -> Counter[tuple[int, int]]:
        total: Counter[tuple[int, int]] = Counter()
        for marker in some:
            total[marker.attacker, marker.base_damage] += marker.hits
        return total

    assert [unit for unit, _ in shared] == list(range(1, len(sizes) + 1))
    assert counted([marker for _, share in shared for marker in share]) == counted(markers)


@pytest.mark.rule("emlia.hits.skirmish")
@given(sizes=st.lists(st.integers(1, 30), min_size=2, max_size=5), hits=st.integers(1, 200))
def test_units_take_hits_round_by_round_by_their_size(
    field_of_battle: Build, sizes: list[int], hits: int
) -> None:
    battle = field_of_battle(
        ATTACKER, *(crowd(size, x=20 + 35 * n) for n, size in enumerate(sizes))
    )
    marker = HitMarker(0, 1, hits, Armour.COUNTS, unseen=False)
    units = tuple(range(1, len(sizes) + 1))

    shared = decided(shares(battle, units, [marker]))

    taken, left = [0] * len(sizes), hits
    order = sorted(range(len(sizes)), key=lambda row: -sizes[row])
    while left:
        for row in order:
            take = min(-(-sizes[row] // min(sizes)), left)
            taken[row] += take
            left -= take
    assert [sum(m.hits for m in share) for _, share in shared] == taken


@pytest.mark.rule("emlia.hits.subunit-ties")
def test_the_first_of_the_tied_units_is_asked_whom_hits_take_first(field_of_battle: Build) -> None:
    pair = {"members": 2, "files": 2}
    battle = field_of_battle({**pair, "at": (50, 50)}, {**pair, "at": (56, 50)})

    asked = next(Ties(battle, (0, 1), {0: 2, 1: 2}, {0: 1}).of_subunits())

    assert isinstance(asked, Decision)
    assert (asked.side, asked.unit) == (0, 0)
    assert [(order.unit, order.target) for order in asked.options] == [(0, 0), (1, 1)]
