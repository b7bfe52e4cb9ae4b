"""Area Volley: the point, its odds, drift and coverage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.errors import IllegalOrderError
from emlia3d.rules.emlia.play.combat.volley import VolleyValidator, area_volley, volley_of
from emlia3d.rules.emlia.play.turn import activation
from emlia3d.rules.emlia.system import SYSTEM
from emlia3d.rules.emlia.tables.volley import Spread, bearing_by, spread_after, strayed
from tests.rules.emlia.combat.volleys import (
    LONGBOW,
    MORTAR,
    STRAIGHT,
    archers,
    at,
    falls,
    foes,
    mortar,
    on_drift,
    struck,
)

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


@pytest.mark.rule("emlia.volley")
@pytest.mark.parametrize(
    "bar",
    [
        {"put": {"disordered": 1}},
        {"put": {"move_used": 1}},
        {"put": {"primary_used": 1}},
        {"weapons": ({**LONGBOW, "use": ("aimed fire",)},)},
        {"skills": {"close combat": "1"}},
    ],
    ids=["disordered", "moved", "acted", "no such weapon", "no such skill"],
)
def test_a_volley_wants_orders_both_actions_a_weapon_for_it_and_the_skill(
    field_of_battle: Build, bar: dict[str, Any]
) -> None:
    able, unable = (
        field_of_battle(archers(), foes((100, 60))),
        field_of_battle(archers(**bar), foes((100, 60))),
    )

    assert "area-volley" in {o.verb for o in activation.options_of(able, 0)}
    assert "area-volley" not in {o.verb for o in activation.options_of(unable, 0)}


@pytest.mark.rule("emlia.volley", "emlia.engage.restrictions")
def test_a_unit_that_is_engaged_looses_no_volley(field_of_battle: Build) -> None:
    battle = field_of_battle(mortar(), foes((100, 21.5)), foes((100, 60)))

    assert VolleyValidator(battle, 0).refusal(at(100, 60)) is not None


@pytest.mark.rule("emlia.volley")
def test_a_volley_uses_up_the_move_and_the_primary_action(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(mortar(), foes((100, 60)))

    falls(battle, play, at(100, 60), [1, 1, 1, 1, 12])

    units = battle.state.units
    assert (units.value("move_used", 0), units.value("primary_used", 0)) == (1, 1)


@pytest.mark.rule("emlia.volley.point")
def test_any_point_in_range_may_be_chosen_and_none_beyond_it_or_off_the_field(
    field_of_battle: Build, question: Any
) -> None:
    battle = field_of_battle(archers(), foes((100, 60)))
    asked = question(battle, activation.ask(battle, 0))

    asked.check(at(17.5, 93))
    for far in (at(100, 145), at(-1, 20)):
        with pytest.raises(IllegalOrderError):
            asked.check(far)


@pytest.mark.rule("emlia.volley.point")
def test_the_shortlist_has_the_middle_of_each_known_enemy_and_the_ground_before_him(
    field_of_battle: Build,
) -> None:
    wall = {"kind": "wall", "height": 3, "box": (0, 40, 90, 41)}
    battle = field_of_battle(archers(), foes((100, 60)), foes((20, 60)), terrain=[wall])

    points = {o.point for o in activation.options_of(battle, 0) if o.verb == "area-volley"}

    assert points == {(100.0, 60.0), (100.0, 59.25)}


@pytest.mark.rule("emlia.volley", "emlia.volley.mod.point-total", "emlia.volley.point")
def test_a_point_behind_a_wall_can_be_struck_at_minus_three(
    field_of_battle: Build, play: Play
) -> None:
    wall = {"kind": "wall", "height": 3, "box": (0, 40, 200, 41)}
    battle = field_of_battle(mortar(), foes((100, 45)), terrain=[wall])

    loosed, _ = falls(battle, play, at(100, 45), [8, 7, 7, 7, 12])

    assert (loosed.facts.modifier, loosed.facts.successes) == (-3, 1)


@pytest.mark.rule("emlia.volley.mod.point-partial", "emlia.volley.point")
def test_a_point_behind_a_hedge_costs_one(field_of_battle: Build, play: Play) -> None:
    hedge = {"kind": "hedge", "height": 3, "box": (0, 40, 200, 41)}
    battle = field_of_battle(mortar(), foes((100, 45)), terrain=[hedge])

    loosed, _ = falls(battle, play, at(100, 45), [1, 1, 1, 1, 12])

    assert loosed.facts.modifier == -1


@pytest.mark.rule("emlia.volley.point")
def test_those_who_stand_on_a_point_hide_it_from_the_shooter(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(mortar(), foes((100, 60), members=4, files=2, formation="ranked"))

    loosed, _ = falls(battle, play, at(100, 61), [1, 1, 1, 1, 12])

    assert loosed.facts.modifier == -3


@pytest.mark.rule("emlia.volley.mod.inside-short", "emlia.volley.mod.inside-medium")
@pytest.mark.parametrize("gap", [15, 60, 150])
def test_the_rows_of_range_say_nothing(field_of_battle: Build, play: Play, gap: float) -> None:
    battle = field_of_battle(mortar(), foes((100, 190)))

    loosed, _ = falls(battle, play, at(100, 20.5 + gap), [1, 1, 1, 1, 12])

    rows = {"emlia.volley.mod.inside-short", "emlia.volley.mod.inside-medium"}
    assert loosed.facts.modifier == 0
    assert len(rows & {*loosed.because}) == {15: 2, 60: 1, 150: 0}[gap]


@pytest.mark.rule("emlia.volley.success")
def test_each_success_lessens_the_drift_or_widens_the_area_and_neither_beyond_its_limit() -> None:
    assert spread_after(10, 1, 1, 10, 2, 2) == Spread(8, 3)
    assert spread_after(2, 1, 1, 10, 5, 0).drift == 0
    assert spread_after(10, 1, 1, 10, 0, 30).coverage == 10
    assert spread_after(20, 6, 6, 6, 0, 4).coverage == 6


@pytest.mark.rule("emlia.volley.success", "emlia.volley.area")
def test_ten_longbows_spend_four_successes_by_halves_and_hit_four_men(
    field_of_battle: Build, play: Play
) -> None:
    men = foes((100, 60), members=4, files=2, formation="ranked")
    battle = field_of_battle(archers(), men)

    loosed, fell = falls(battle, play, at(100, 52), [5, 6, 7, 12, 1, 12], (on_drift(2),))

    assert loosed.facts.successes == 4
    assert (fell.facts.drift, fell.facts.coverage) == (8, 3)
    assert struck(battle) == [(1, 4, 1)]


@pytest.mark.rule("emlia.volley.success", "emlia.equip.coverage")
def test_a_mortar_can_only_lessen_its_drift(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(mortar(), foes((100, 60)))

    _, fell = falls(battle, play, at(120, 60), [5, 12, 12, 4, 3])

    assert (fell.facts.drift, fell.facts.coverage) == (17, 6)


@pytest.mark.rule("emlia.volley.success")
def test_the_choice_is_made_after_the_roll_and_before_the_direction_is_known(
    field_of_battle: Build, question: Any
) -> None:
    battle = field_of_battle(archers(), foes((100, 60)))

    asked = question(battle, area_volley(battle, 0, at(120, 60)), [5, 5, 5, 1, 1])

    assert asked.asks == "emlia.volley.success"
    assert {order.number for order in asked.options} == {0, 1, 2, 3}
    assert (volley_of(battle).successes, volley_of(battle).point) == (3, (120, 60))


@pytest.mark.rule("emlia.meta.lost-material")
def test_a_d12_points_as_the_hours_of_a_clock() -> None:
    hours = [30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 330, 0]

    assert [bearing_by(face) for face in range(1, 13)] == hours


@pytest.mark.rule("emlia.volley.drift")
@pytest.mark.parametrize(
    ("face", "east", "north"), [(12, 0, 7), (3, 7, 0), (6, 0, -7), (9, -7, 0), (1, 3.5, 6.0622)]
)
def test_the_point_strays_thirty_degrees_clockwise_from_north_for_each_face(
    face: int, east: float, north: float
) -> None:
    assert strayed((50, 50), 7, face) == pytest.approx((50 + east, 50 + north), abs=0.001)


@pytest.mark.rule("emlia.volley.drift")
def test_three_successes_leave_a_drift_of_seven_and_the_three_sends_it_due_east(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(archers(), foes((100, 60)))

    _, fell = falls(battle, play, at(120, 60), [5, 5, 5, 1, 1, 3], (on_drift(3),))

    assert fell.facts.fell_at == (127, 60)


@pytest.mark.rule("emlia.meta.lost-material")
def test_a_volley_that_strays_says_that_the_books_own_table_of_directions_is_lost(
    field_of_battle: Build, play: Play
) -> None:
    strays = field_of_battle(archers(), foes((100, 60)))
    straight = field_of_battle(mortar(weapons=(STRAIGHT,)), foes((100, 60)))

    _, fell = falls(strays, play, at(120, 60), [5, 5, 5, 1, 1, 3], (on_drift(3),))
    _, on_mark = falls(straight, play, at(100, 60), [1] * 4)

    assert fell.facts.bearing == 90
    assert "emlia.meta.lost-material" in fell.because
    assert "7 GSU off at 90° (by d12: the rulebook has no table)" in SYSTEM.tell(strays, fell)
    assert "emlia.meta.lost-material" not in on_mark.because


@pytest.mark.rule("emlia.volley", "emlia.volley.overhead-cover")
def test_nobody_aims_at_a_point_under_a_roof(field_of_battle: Build) -> None:
    house = {"kind": "building", "box": (90, 50, 110, 70)}
    battle = field_of_battle(mortar(), foes((100, 80)), terrain=[house])

    assert VolleyValidator(battle, 0).refusal(at(100, 60)) is not None
    assert VolleyValidator(battle, 0).refusal(at(100, 71)) is None


@pytest.mark.rule("emlia.elev.downhill", "emlia.elev.uphill")
def test_a_point_far_below_is_in_range_from_farther_off(field_of_battle: Build) -> None:
    short = {**MORTAR, "range": (20, 40, 60)}
    high = field_of_battle(mortar(weapons=(short,), on_height=9), foes((100, 180)))
    low = field_of_battle(mortar(weapons=(short,)), foes((100, 180)))

    assert VolleyValidator(high, 0).refusal(at(100, 85)) is None
    assert VolleyValidator(low, 0).refusal(at(100, 85)) is not None
