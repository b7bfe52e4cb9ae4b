"""Emlia, chapter 19.3: shadows."""

from __future__ import annotations

import pytest

from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.tables.shadow import has_shadow, shadow_length, shadow_of, total_depth
from emlia3d.rules.emlia.tables.sight import Between, Party, conceal

rule = pytest.mark.rule
NONE, PARTIAL, TOTAL = Level.NONE, Level.PARTIAL, Level.TOTAL


def party(height=1.0, footing=0.0, **facts):
    given = {"size": height, "combat_range": height, **facts}
    return Party(footing=footing, height=height, **given)


def see(observer, observed, *, top=5.0, near=28.0, far=2.0, solid=True, **facts):
    """What one entity does that stands *near* GSU from the observer and *far* from the observed."""
    rock = Between(top=top, solid=solid, fraction=1.0, to_observer=near, to_observed=far, **facts)
    return conceal(observer, observed, [rock])


@rule("emlia.sight.shadow-length")
@pytest.mark.parametrize(
    ("taller", "length"), [(9, 40), (10, 40), (11, 20), (20, 20), (21, 10), (41, 5)]
)
def test_a_taller_observer_shortens_the_shadow(taller, length):
    assert shadow_length(40, taller, 5) == length


@rule("emlia.sight.shadow-none")
def test_who_stands_close_enough_to_look_down_sees_no_shadow():
    assert not has_shadow(3, 9, 5)
    assert has_shadow(4, 9, 5)
    assert shadow_of(3, 9, 5, 1) is None
    assert shadow_of(4, 9, 5, 1).length == 4


@rule("emlia.sight.shadow-total-depth")
@pytest.mark.parametrize(
    ("length", "size", "height", "depth"), [(28, 0.5, 5, 25.2), (28, 1, 1, 0), (20, 1, 5, 16)]
)
def test_the_smaller_the_shorter_is_the_deeper_he_is_hidden_wholly(length, size, height, depth):
    assert total_depth(length, size, height) == pytest.approx(depth, abs=1e-12)


@rule("emlia.sight.shadow-total-depth")
def test_who_is_larger_than_the_entity_is_tall_is_never_hidden_wholly():
    assert total_depth(20, 6, 5) < 0
    assert see(party(9), party(1, size=6.0), near=20, far=0).level is PARTIAL


ARCHERS = party(height=1.0, footing=8.0, on_entity=True)
BANDITS = party(height=0.5)


@rule("emlia.sight.shadow.example-bandits")
@rule("emlia.sight.shadow-partial")
@rule("emlia.sight.shadow-total-depth")
@pytest.mark.parametrize(
    ("far", "found"), [(2, TOTAL), (25.2, TOTAL), (26, PARTIAL), (28, PARTIAL), (29, NONE)]
)
def test_the_bandits_behind_the_rock_are_hidden_from_the_archers_on_the_ridge(far, found):
    verdict = see(ARCHERS, BANDITS, far=far)
    assert verdict.level is found
    shadow = verdict.gives[0].shadow
    assert shadow.length == 28
    assert shadow.total_depth == pytest.approx(25.2)


@rule("emlia.sight.shadow.example-bandits")
def test_with_the_archers_twenty_six_from_the_rock_the_bandits_are_hidden_as_well():
    verdict = see(ARCHERS, BANDITS, near=26)
    assert verdict.level is TOTAL
    assert verdict.gives[0].shadow.total_depth == pytest.approx(23.4)


@rule("emlia.sight.shadow-sparse")
@pytest.mark.parametrize(("far", "found"), [(2, PARTIAL), (25, PARTIAL), (26, NONE)])
def test_a_sparse_entity_hides_partly_in_its_depth_and_nobody_beyond(far, found):
    assert see(ARCHERS, BANDITS, far=far, solid=False).level is found


@rule("emlia.sight.shadow-distance")
def test_a_unit_is_as_deep_in_a_shadow_as_its_farthest_man():
    assert see(ARCHERS, BANDITS, far=2, observed_depth=26).level is PARTIAL
    assert see(ARCHERS, BANDITS, far=2, observed_depth=29).level is NONE


# A wall of height 5, 28 GSU from the foot of a tower on which an archer of height 1 stands.
@rule("emlia.sight.from-shadow.exception")
@rule("emlia.sight.from-shadow.total")
@rule("emlia.sight.from-shadow.partial")
@pytest.mark.parametrize(
    ("tower", "behind", "found", "because"),
    [
        pytest.param(10, 12, PARTIAL, "partial", id="tower itself is hidden"),
        pytest.param(10, 10, TOTAL, "total", id="observer is hidden from the archer"),
        pytest.param(8, 25, NONE, "exception", id="tower itself is seen"),
    ],
)
def test_who_looks_up_from_a_shadow_sees_an_archer_on_a_tower_that_he_sees(
    tower, behind, found, because
):
    archer = party(footing=float(tower), on_entity=True)
    verdict = see(party(), archer, near=behind, far=28)
    assert verdict.level is found
    assert verdict.because == (f"emlia.sight.from-shadow.{because}",)


@rule("emlia.sight.from-shadow.exception")
def test_the_exception_wants_something_that_the_observed_stands_on():
    giant = party(height=9.0)
    assert see(party(), giant, near=25, far=28).level is PARTIAL


@rule("emlia.sight.from-shadow.exception")
def test_a_hill_no_taller_than_the_wall_hides_with_it_who_stands_on_it():
    archer = party(height=2.0, footing=4.0, on_entity=True)
    assert see(party(), archer, near=25, far=28).level is PARTIAL


@rule("emlia.sight.from-shadow.outside")
def test_who_stands_beyond_the_shadow_sees_all_of_the_taller():
    verdict = see(party(), party(height=9.0), near=29, far=28)
    assert verdict.level is NONE
    assert verdict.because == ("emlia.sight.from-shadow.outside",)


@rule("emlia.sight.from-shadow.sparse")
@pytest.mark.parametrize(("behind", "found"), [(22, PARTIAL), (23, NONE)])
def test_a_bush_hampers_only_those_whom_it_conceals(behind, found):
    assert see(party(), party(height=9.0), near=behind, far=28, solid=False).level is found


@rule("emlia.sight.on-own-terrain")
def test_a_hill_does_not_hide_its_foot_from_its_top():
    on_top = party(footing=10.0, on_entity=True)
    assert see(on_top, party(), top=10.0, near=0, far=0).level is NONE
    assert see(party(), on_top, top=10.0, near=0, far=0).level is NONE
