"""Odds of attacks, beside sums over all faces of the dice."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from emlia3d.rules.oathmark.combat import attack_on
from emlia3d.rules.oathmark.odds import gain_of_attack
from tests.rules.oathmark.tables import SOLDIER, put, table

OURS: dict[str, Any] = {**SOLDIER, "members": 2, "fight": 3, "points": 10}
THEIRS: dict[str, Any] = {
    **SOLDIER, "side": "Blue", "facing": 180, "members": 3, "officer": (0, 100), "fight": 1,
    "defence": 8, "activation": 6, "points": 7,
}  # fmt: skip
OUR_TARGET, THEIR_TARGET = 8 - 3, 9 - 1
"""What dice need: Defence less Fight; units below a second rank have no modifiers."""

Spread = dict[int, Fraction]


def hits(dice: int, target: int) -> Spread:
    """Return the chances of hits of dice: 1, 2 or 3 from the target number on in steps of 5."""
    found: Spread = {}
    for faces in product(range(1, 11), repeat=dice):
        scored = sum(
            3 if face >= target + 10 else 2 if face >= target + 5 else 1
            if face >= target or face == 10 else 0
            for face in faces
        )  # fmt: skip
        found[scored] = found.get(scored, Fraction(0)) + Fraction(1, 10**dice)
    return found


def fails(activation: int, modifier: int) -> Fraction:
    """Return the chance that two dice fail a test."""
    failing = sum(face != 10 and face + modifier < activation for face in range(1, 11))
    return Fraction(failing, 10) ** 2


def fate(
    scored: Spread, members: int, activation: int, *, disordered: bool
) -> tuple[Spread, Fraction, Fraction]:
    """Return the figures lost, and the chances to be gone, and to fail a test.

    Each casualty and less than a rank are -1; a unit that is disordered has -1, and breaks.
    """
    lost: Spread = {}
    gone = failed = Fraction(0)
    for count, chance in scored.items():
        fallen = min(count, members)
        lost[fallen] = lost.get(fallen, Fraction(0)) + chance
        if fallen == members:
            gone += chance
        elif fallen:
            fail = chance * fails(activation, -fallen - 1 - disordered)
            failed += fail
            gone += fail if disordered else 0
    return lost, gone, failed


@pytest.mark.parametrize("disordered", [False, True])
def test_odds_of_an_attack_are_sums_over_all_faces(disordered: bool) -> None:
    battle = table(OURS, THEIRS)
    if disordered:
        put(battle, 1, disordered=1)
    ours, theirs = hits(2, OUR_TARGET), hits(3, THEIR_TARGET + disordered)

    odds = battle.system.odds(battle, 0, 1, "attack")

    assert (odds.attacker, odds.target, odds.action) == ("unit 0", "unit 1", "attack")
    assert dict(odds.hits) == ours
    assert [*odds.fates] == ["unit 1", "unit 0"]
    for name, scored, members, activation, already in (
        ("unit 1", ours, 3, 6, disordered), ("unit 0", theirs, 2, 5, False),
    ):  # fmt: skip
        lost, gone, failed = fate(scored, members, activation, disordered=already)
        found = odds.fates[name]
        assert dict(found.points) == scored
        assert dict(found.lost) == lost
        assert found.destroyed == gone
        slug = "oathmark.morale.broken" if already else "oathmark.morale.fail"
        assert dict(found.because) == {slug: failed}
        state = {1: 1 - gone} if already else {0: 1 - gone - failed, 1: failed}
        assert dict(found.morale) == state


def test_checks_and_text_name_both_units() -> None:
    battle = table(OURS, THEIRS)
    ours, theirs = hits(2, OUR_TARGET), hits(3, THEIR_TARGET)

    odds = battle.system.odds(battle, 0, 1, "attack")

    assert [(check.unit, check.target, check.dice) for check in odds.checks] == [
        ("unit 0", "unit 1", 2), ("unit 1", "unit 0", 3),
    ]  # fmt: skip
    # A die hits with 5 to 10, twice with a 10; or with 8 to 10.
    assert [check.chance for check in odds.checks] == [Fraction(6, 10), Fraction(3, 10)]
    assert [check.expected for check in odds.checks] == [Fraction(14, 10), Fraction(9, 10)]
    wins = sum(
        one * other for own, one in ours.items() for foe, other in theirs.items() if own > foe
    )
    average = sum(count * chance for count, chance in ours.items())
    assert odds.text.startswith(f"unit 0 against unit 1: {float(average):.1f} hits on average; ")
    told = [
        f"{name} loses {float(sum(n * c for n, c in odds.fates[name].lost.items())):.1f}"
        for name in ("unit 1", "unit 0")
    ]
    assert all(part in odds.text for part in told)
    assert odds.text.index(told[0]) < odds.text.index(told[1])
    assert f"unit 0 has more hits: {100 * float(wins):.1f}%." in odds.text


def test_a_test_that_cannot_fail_has_no_reason() -> None:
    # Without a hit no unit tests: nothing can hurt Defence 30 but a 10, so one die is left.
    battle = table({**OURS, "members": 1}, {**THEIRS, "members": 1})

    fates = battle.system.odds(battle, 0, 1, "attack").fates

    assert [dict(found.because) for found in fates.values()] == [{}, {}]
    assert [dict(found.morale) for found in fates.values()] == [
        {0: Fraction(4, 10)}, {0: Fraction(7, 10)},
    ]  # fmt: skip


@pytest.mark.parametrize("disordered", [False, True])
@pytest.mark.parametrize("fear", [None, 0.5, 2.0])
def test_the_gain_of_an_attack_is_what_it_takes_less_its_own_losses(
    fear: float | None, disordered: bool
) -> None:
    battle = table(OURS, THEIRS)
    if disordered:
        put(battle, 1, disordered=1)
    ours, theirs = hits(2, OUR_TARGET), hits(3, THEIR_TARGET + disordered)

    def cost(scored: Spread, members: int, activation: int, points: int, already: bool) -> float:
        # A figure costs its points; disorder a fifth of what is left, and breaking all of it.
        spent = 0.0
        for count, chance in scored.items():
            fallen = min(count, members)
            rest = (members - fallen) * points * (1.0 if already else 0.2)
            test = float(fails(activation, -fallen - 1 - already)) if fallen else 0.0
            spent += float(chance) * (fallen * points + test * rest)
        return spent

    taken = cost(ours, 3, 6, 7, disordered)
    paid = cost(theirs, 2, 5, 10, False)
    met = attack_on(battle, 0, 1, 62.5)
    found = gain_of_attack(battle, met) if fear is None else gain_of_attack(battle, met, fear)

    assert found == pytest.approx(taken - (1.0 if fear is None else fear) * paid)


def test_odds_that_are_refused_name_the_units_and_the_rule() -> None:
    battle = table(OURS, {**THEIRS, "officer": (0, 400)}, {**THEIRS, "officer": (200, 100)})

    attack = battle.system.odds(battle, 0, 1, "attack")
    shot = battle.system.odds(battle, 0, 2, "shoot")

    assert attack.refusal == "no move ahead brings it into contact (oathmark.combat.trigger)"
    assert shot.refusal == "no line of sight in range (oathmark.shoot.los-half)"
    assert (attack.attacker, attack.target, attack.action) == ("unit 0", "unit 1", "attack")
    assert (shot.attacker, shot.target, shot.action) == ("unit 0", "unit 2", "shoot")
