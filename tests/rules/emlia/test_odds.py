"""The odds of an attack: against chances worked by hand, every face, and the real play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from emlia3d.battle import dice
from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import SeededDice
from emlia3d.battle.flow import driven
from emlia3d.battle.questions.odds import Odds, mean
from emlia3d.errors import Error
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.play.questions.outcomes import odds
from emlia3d.rules.emlia.play.questions.possible_attacks import ATTACKS, AttackKind
from emlia3d.rules.emlia.play.turn.phase import resolve
from emlia3d.rules.emlia.tables.skills import roll_check
from tests.rules.emlia.recomputed import recomputed
from tests.rules.emlia.riflemen import RIFLE
from tests.rules.emlia.troops import LONGBOW

Build = Callable[..., Battle]

SWORD = {"name": "Sword", "base_damage": 1}


def shooter(count: str = "1", **more: Any) -> dict[str, Any]:
    skills = {"aimed fire": count, "close combat": "1"}
    return {"at": (100, 50), "weapons": (RIFLE,), "skills": skills, **more}


def enemy(gap: float, **more: Any) -> dict[str, Any]:
    """One man, *gap* GSU in front of the shooter's footprint."""
    return {"side": "Bob", "at": (100, 51 + gap), "facing": 180, **more}


def ranks(members: int, at: tuple[float, float], **more: Any) -> dict[str, Any]:
    """Swordsmen five abreast, with the middle of their front line there."""
    return {
        "formation": "ranked", "members": members, "files": 5, "front": at,
        "weapons": (SWORD,), "skills": {"close combat": "5/2"}, **more,
    }  # fmt: skip


def check_of(found: Odds) -> Any:
    (check,) = found.checks
    return check


def rows_of(found: Odds) -> dict[str, int]:
    return {row.slug: row.figure for row in check_of(found).rows}


@pytest.mark.rule("emlia.meta.probability")
@pytest.mark.parametrize(
    ("gap", "modifier", "chance"),
    [(18, 0, Fraction(8, 12)), (30, -2, Fraction(6, 12)), (50, -4, Fraction(4, 12))],
)
def test_a_die_has_the_chance_of_the_book_at_each_range(
    field_of_battle: Build, gap: float, modifier: int, chance: Fraction
) -> None:
    found = odds(field_of_battle(shooter(), enemy(gap)), 0, 1, "fire")

    assert (check_of(found).modifier, check_of(found).chance) == (modifier, chance)
    assert found.hits == {0: 1 - chance, 1: chance}


@pytest.mark.rule("emlia.fire")
def test_a_man_behind_a_wall_is_hit_one_time_in_twelve_and_each_row_is_told(
    field_of_battle: Build,
) -> None:
    wall = {"kind": "wall", "box": (80, 79, 120, 80)}
    battle = field_of_battle(shooter(), enemy(30, states=("taking cover",)), terrain=[wall])

    found = odds(battle, 0, 1, "aim")

    assert found.hits == {0: Fraction(11, 12), 1: Fraction(1, 12)}
    assert rows_of(found) == {
        "emlia.fire.mod.outside-short": -2,
        "emlia.fire.mod.conc-partial": -2,
        "emlia.fire.mod.cover-partial": -3,
        "emlia.fire.mod.taking-cover": -1,
        "emlia.fire.mod.taking-cover-partial": -1,
        "emlia.fire.mod.forfeit-move": 2,
    }


@pytest.mark.rule("emlia.conc")
@pytest.mark.parametrize(("gap", "modifier"), [(30, -2), (60, 0), (100, -5)])
def test_a_longbow_s_volley_is_best_at_medium_range(
    field_of_battle: Build, gap: float, modifier: int
) -> None:
    archers = {
        "at": (100, 50), "members": 2, "files": 2, "formation": "close", "weapons": (LONGBOW,),
        "skills": {"volley fire": "2"},
    }  # fmt: skip

    found = odds(field_of_battle(archers, enemy(gap)), 0, 1, "volley")

    assert check_of(found).modifier == modifier


@pytest.mark.rule("emlia.melee.outnumber")
@pytest.mark.parametrize(("mine", "theirs", "modifier"), [(8, 4, 2), (12, 4, 4)])
def test_those_who_outnumber_others_strike_them_at_the_book_s_figures(
    field_of_battle: Build, mine: int, theirs: int, modifier: int
) -> None:
    crowd = {"at": (100, 50), "members": mine, "files": mine, "formation": "close"}
    few = {
        "at": (100, 51), "members": theirs, "files": theirs, "formation": "close", "side": "Bob",
    }  # fmt: skip

    found = odds(field_of_battle(crowd, few), 0, 1, "melee")

    assert check_of(found).modifier == modifier


@pytest.mark.parametrize("gap", [18, 30, 50])
def test_hits_have_the_chances_that_counting_every_face_gives(
    field_of_battle: Build, gap: float
) -> None:
    found = odds(field_of_battle(shooter("3"), enemy(gap, members=6)), 0, 1, "fire")

    modifier = check_of(found).modifier
    counted = dice.odds(lambda cast: roll_check("emlia.fire", 3, modifier, cast).successes)
    assert found.hits == counted


def test_a_shot_that_kills_raises_the_shooter_s_morale_as_often_as_it_hits(
    field_of_battle: Build,
) -> None:
    found = odds(field_of_battle(shooter(name="A"), enemy(18, name="B")), 0, 1, "fire")

    assert found.fates["B"].destroyed == Fraction(2, 3)
    assert found.fates["B"].morale == {2: Fraction(1, 3)}
    # Inflicts, inflicts a tenth, wipes out, and an enemy near is destroyed: +1 +1 +2 +1.
    assert found.fates["A"].morale == {2: Fraction(1, 3), 7: Fraction(2, 3)}
    assert found.fates["A"].because["emlia.morale.pos.wipes-out"] == Fraction(2, 3)


@pytest.mark.rule("emlia.attr.vital-table")
def test_every_face_of_the_vital_table_is_counted(field_of_battle: Build) -> None:
    beast = enemy(
        18, name="B", threshold=1, vital_table=(
            {"faces": (1, 9), "text": "A scratch"},
            {"faces": (10, 11), "text": "It bleeds", "check_modifier": -1},
            {"faces": (12, 12), "text": "Its heart", "destroyed": True},
        ),
    )  # fmt: skip

    found = odds(field_of_battle(shooter(), beast), 0, 1, "fire")

    assert found.fates["B"].destroyed == Fraction(2, 3) * Fraction(1, 12)
    assert found.fates["B"].points == {0: Fraction(1, 3), 1: Fraction(2, 3)}


def test_a_charge_is_played_with_its_run_and_its_row(field_of_battle: Build) -> None:
    found = odds(field_of_battle(shooter(), enemy(8)), 0, 1, "charge")

    assert rows_of(found)["emlia.melee.mod.charged"] == 1
    assert sum(found.hits.values()) == 1


def test_a_charge_that_falls_short_comes_to_no_blow_and_costs_morale(
    field_of_battle: Build,
) -> None:
    found = odds(field_of_battle(shooter(name="A"), enemy(40, name="B")), 0, 1, "charge")

    assert found.checks == ()
    assert found.fates["A"].morale == {1: Fraction(1)}
    assert found.fates["A"].because == {"emlia.morale.neg.charge-failed": Fraction(1)}


def test_the_rows_of_a_check_come_to_its_modifier_where_one_counts_several_times(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(
        ranks(10, (100, 50), facing=0),
        ranks(10, (100, 51), side="Bob", facing=180),
        ranks(10, (103.5, 53), facing=270),
        ranks(10, (96.5, 53), facing=90),
    )

    found = odds(battle, 0, 1, "melee")

    assert rows_of(found)["emlia.melee.mod.from-multiple-fronts"] == 2
    assert sum(rows_of(found).values()) == check_of(found).modifier


def _played(
    battle: Battle, attack: AttackKind, order: Order, seed: int
) -> tuple[int, tuple[int, int]]:
    """Members that the target loses, and both sides' morale, in one attack that is played."""
    scene = recomputed(battle)
    scene.dice = SeededDice(seed, 0)
    commander = SYSTEM.commander("doctrine")
    assert commander is not None
    assert order.unit is not None
    assert order.target is not None

    def decided(decision: Decision) -> Order:
        return commander.decide(decision, SYSTEM.picture(scene, decision.side), SeededDice(1, 0))

    for begin in (attack.deed.perform(scene, order.unit, order), resolve(scene)):
        for event in driven(begin, decided):
            scene.happen(event)
    units = scene.state.units
    lost = battle.state.units.integer("members", order.target) - units.integer(
        "members", order.target
    )
    return lost, (units.integer("morale", order.unit), units.integer("morale", order.target))


@pytest.mark.parametrize("action", ["fire", "charge", "melee"])
def test_the_real_play_comes_out_as_often_as_the_odds_say(
    field_of_battle: Build, action: str
) -> None:
    gap = {"fire": 30, "charge": 8, "melee": 1}[action]
    mine = ranks(10, (100, 50), name="A", weapons=(RIFLE, SWORD), skills={
        "aimed fire": "6", "close combat": "7/4",
    })  # fmt: skip
    theirs = ranks(10, (100, 50 + gap), name="B", side="Bob", facing=180)
    battle = field_of_battle(mine, theirs)
    found = odds(battle, 0, 1, action)
    order = Order(verb=ATTACKS[action].verb, unit=0, target=1, number=0)
    runs = 60

    came = Counter(_played(battle, ATTACKS[action], order, seed) for seed in range(runs))

    losses, morale = Counter[int](), Counter[int]()
    for (lost, (_, theirs_after)), times in came.items():
        losses[lost] += times
        morale[theirs_after] += times if lost < 10 else 0
    fate = found.fates["B"]
    for seen, told in ((losses, fate.lost), (morale, fate.morale)):
        assert set(seen) <= set(told)
        for value, chance in told.items():
            spread = 4 * float(chance * (1 - chance) * runs) ** 0.5 + 1
            assert abs(seen[value] - float(chance) * runs) <= spread
    assert float(mean(fate.lost)) > 0.5


def test_asking_leaves_the_battle_as_it_is(field_of_battle: Build) -> None:
    battle = field_of_battle(ranks(10, (100, 50)), ranks(10, (100, 51), side="Bob", facing=180))
    before = battle.state.key_frame()

    first = odds(battle, 0, 1, "melee")

    assert battle.state.key_frame() == before
    assert odds(battle, 0, 1, "melee") == first


def test_a_volley_at_a_point_is_counted_wherever_it_may_fall(field_of_battle: Build) -> None:
    archers = {"at": (100, 50), "weapons": (LONGBOW,), "skills": {"volley fire": "1"}}
    found = odds(field_of_battle(archers, enemy(60, members=9, files=3)), 0, 1, "area")

    assert sum(found.hits.values()) == 1
    assert max(found.hits) <= 9


def test_why_an_attack_may_not_be_made_is_told_with_its_rule(field_of_battle: Build) -> None:
    battle = field_of_battle(shooter(), enemy(61))

    assert "out of range (emlia.equip.ranged)" in str(odds(battle, 0, 1, "fire").refusal)
    assert "no enemy is in its combat range" in str(odds(battle, 0, 1, "melee").refusal)
    assert odds(battle, 0, 1, "fire").checks == ()


def test_without_a_name_the_first_attack_is_taken_that_may_be_made(field_of_battle: Build) -> None:
    assert odds(field_of_battle(shooter(), enemy(18)), 0, 1).action == "aim"
    assert odds(field_of_battle(shooter(), enemy(0.5)), 0, 1).action == "melee"


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("shove", None), "unknown attack"),
        (("fire", "Bow"), 'has no weapon "Bow" for that; it has Rifle'),
        (("volley", "Rifle"), "it has none for that"),
    ],
)
def test_a_name_that_there_is_not_is_a_mistake(
    field_of_battle: Build, names: tuple[str, str | None], told: str
) -> None:
    with pytest.raises(Error, match=told):
        odds(field_of_battle(shooter(), enemy(18)), 0, 1, *names)


def test_the_paragraph_has_articles_and_verbs_of_one_or_of_many(field_of_battle: Build) -> None:
    rifles = shooter(name="rifles", members=3, files=3)
    captain = enemy(10, name="Captain Kidd")

    found = odds(field_of_battle(rifles, captain), 0, 1, "fire")

    assert found.text.startswith(
        "The rifles fire at Captain Kidd with Rifle. The rifles roll 1 die at +0 against Captain "
        "Kidd; each succeeds at 66.7%, 0.67 on average. The rifles make 0.67 hits on average. "
        "Captain Kidd takes 0.67 damage and loses 0.67 on average, and is destroyed at 66.7%."
    )
