"""The attacks of Emlia that statistics count."""

from __future__ import annotations

from fractions import Fraction

from emlia3d.battle.events import Event
from emlia3d.rules.emlia.events.combat import VolleyFell, VolleyLoosed
from emlia3d.rules.emlia.report.attacks import attack
from emlia3d.scenario import load

SETUP = load("bandits").setup
SHOT = {"weapon": "bow", "distance": 20, "band": "short", "base_damage": 3}


def test_an_area_volley_rolls_as_it_is_loosed_and_hits_where_it_falls() -> None:
    loosed = VolleyLoosed(**SHOT, dice=6, modifier=-2, successes=3, aimed_at=(1, 2))
    fell = VolleyFell(
        weapon="bow", aimed_at=(1, 2), fell_at=(2, 2), coverage=3, drift=1,
        struck=("raiders",), hits=(4,), scenery=(),
    )  # fmt: skip

    rolled, hit = (attack(SETUP, Event(facts=facts, unit=0)) for facts in (loosed, fell))

    assert (rolled.dice, rolled.hits, rolled.expected, rolled.struck) == (6, 3, 3, ())
    assert (hit.dice, hit.struck) == (0, ((SETUP.unit_of("raiders"), 4),))


def test_automatic_successes_are_no_luck() -> None:
    loosed = VolleyLoosed(**SHOT, dice=6, modifier=-2, successes=6, aimed_at=(1, 2))

    rolled = attack(SETUP, Event(facts=loosed, because=("emlia.skill.automatic-success",)))

    assert (rolled.expected, rolled.variance) == (6, Fraction(0))
