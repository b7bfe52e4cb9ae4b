"""Chapter 24: what the glossary adds, as it is met in play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from emlia3d.battle import setup
from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Leg, Order
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.basics.arcs import Arc, arc_of
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.unit_edges import UnitEdge
from emlia3d.rules.emlia.play.acting.checks import attempt_of, marked
from emlia3d.rules.emlia.play.combat.close_combat import close_combat
from emlia3d.rules.emlia.play.morale.leading import leader_of, leader_place, without
from emlia3d.rules.emlia.play.movement.manoeuvre import MoveValidator, turn_and_go
from emlia3d.rules.emlia.play.sight.covering import cover_of
from emlia3d.rules.emlia.play.sight.sight_cache import level_on
from emlia3d.rules.emlia.play.situation.contact import side_towards
from emlia3d.rules.emlia.play.situation.parts import parts_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import phase
from emlia3d.rules.emlia.play.turn.activation import activate
from emlia3d.rules.emlia.play.turn.command import may_ignore
from emlia3d.rules.emlia.unit_sets.unit_set import Entry
from tests.rules.emlia.riflemen import BOB, SHOOTER, shot

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


@pytest.mark.rule("emlia.gloss.activation")
def test_an_activation_begins_with_activating_and_holds_the_actions(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(SHOOTER, {**BOB, "at": (50, 30)})

    events = play(battle, activate(battle, 0), dice=[6], answers=["fire", ...])

    assert [event.name for event in events] == ["activated", "fired", "activation ended"]


@pytest.mark.rule("emlia.gloss.attribute")
def test_no_attribute_takes_the_place_of_a_skill(field_of_battle: Build) -> None:
    hero = {"size": 8, "height": 4, "hits": 9, "morale": 7, "army_value": 9, "timing": 9}
    battle = field_of_battle({"at": (50, 10), **hero}, BOB)

    tried = attempt_of(battle, 0, "aimed fire")

    assert (tried.dice, tried.improvised) == (1, True)


@pytest.mark.rule("emlia.gloss.battlefield")
def test_a_move_ends_where_the_battlefield_does(field_of_battle: Build) -> None:
    battle = field_of_battle({"at": (50, 10), "movement": "15G", "facing": 180}, BOB)
    reach = MoveValidator(battle, 0)

    order = turn_and_go(battle, 0, 180 * 64, 15, "move")

    assert order is not None
    assert order.legs[-1].y == pytest.approx(0.0, abs=0.01)
    (leg,) = order.legs
    beyond = Order(verb="move", unit=0, legs=(type(leg)(**{**_fields(leg), "y": -4.0}),))
    refused = reach.refusal(beyond)
    assert refused is not None
    assert refused.slug == "emlia.move.leave"


def _fields(leg: Any) -> dict[str, Any]:
    return {name: getattr(leg, name) for name in type(leg).__dataclass_fields__}


@pytest.mark.rule("emlia.gloss.concealment-cover")
def test_a_tree_conceals_but_lets_a_heavy_ball_through(field_of_battle: Build) -> None:
    tree = {"kind": "tree", "box": (40, 20, 60, 24), "hits": 3}
    battle = field_of_battle(SHOOTER, {**BOB, "at": (50, 35)}, terrain=[tree])

    assert level_on(battle, 0, 1) is Level.PARTIAL
    assert cover_of(battle, 0, 1, 1) is Level.PARTIAL
    assert cover_of(battle, 0, 1, 3) is Level.NONE


@pytest.mark.rule("emlia.gloss.check-fail", "emlia.gloss.success")
@pytest.mark.parametrize(
    ("faces", "successes", "succeeded"), [([4, 4], 0, False), ([4, 5], 1, True), ([5, 12], 2, True)]
)
def test_a_check_fails_only_with_no_success_at_all(
    field_of_battle: Build, play: Play, faces: list[int], successes: int, succeeded: bool
) -> None:
    leader = {"at": (50, 50), "skills": {"leadership": "2"}}
    shy = {"at": (53, 50), "put": {"morale": -1}}
    battle = field_of_battle(leader, shy, BOB)
    order = Order(verb="ignore-initiative", unit=0, target=1)

    events = play(battle, activate(battle, 0), dice=faces, answers=[order, ...])

    assert events[1].facts.successes == successes
    assert (may_ignore(battle, 0, 1) is not None) is succeeded


@pytest.mark.rule("emlia.gloss.flank", "emlia.gloss.rear", "emlia.form.ranked.facing")
@pytest.mark.parametrize(
    ("at", "side", "modifier"),
    [((50, 54), UnitEdge.FRONT, 0), ((56, 50), UnitEdge.RIGHT, 1), ((50, 46), UnitEdge.REAR, 2)],
)
def test_the_flank_and_rear_of_ranks_are_their_sides_and_back(
    field_of_battle: Build,
    play: Play,
    at: tuple[float, float],
    side: UnitEdge,
    modifier: int,
) -> None:
    ranks = {"at": (50, 50), "members": 30, "files": 10, "formation": "ranked"}
    single = {**BOB, "at": at, "skills": {"close combat": "1"}, "combat_range": 3}
    battle = field_of_battle(ranks, single)

    (event,) = play(battle, close_combat(battle, 1, Order(verb="close-combat", unit=1)), dice=[6])

    assert side_towards(battle, 0, 1) is side
    assert sum(1 for slug in event.because if slug.startswith("emlia.melee.mod.from-")) == bool(
        modifier
    )


@pytest.mark.rule("emlia.gloss.flank", "emlia.gloss.rear")
@pytest.mark.parametrize(
    ("degrees", "arc"), [(90, Arc.FRONT), (91, Arc.SIDE), (135, Arc.SIDE), (136, Arc.REAR)]
)
def test_the_flank_and_rear_of_others_are_their_arcs(degrees: int, arc: Arc) -> None:
    assert arc_of(degrees * 64, (180, 45, 90)) is arc


@pytest.mark.rule("emlia.gloss.short-range", "emlia.equip.base-damage")
@pytest.mark.parametrize(("gap", "modifier", "damage"), [(15, 0, 5), (25, -2, 3), (50, -4, 1)])
def test_short_range_is_where_a_shotgun_hits_best_and_hardest(
    field_of_battle: Build, play: Play, gap: float, modifier: int, damage: int
) -> None:
    shotgun = {
        "name": "12-Gauge Shotgun",
        "base_damage": 5,
        "range": (20, 40, 60),
        "abilities": ("large falloff 2",),
    }
    battle = field_of_battle({**SHOOTER, "weapons": (shotgun,)}, {**BOB, "at": (50, 11 + gap)})

    event = shot(battle, play)

    assert (event.facts.modifier, event.facts.base_damage) == (modifier, damage)


@pytest.mark.rule("emlia.gloss.vital-table")
def test_a_vital_table_is_printed_with_the_unit_and_wants_a_threshold() -> None:
    rows = [{"faces": [1, 12], "text": "nothing more", "damage": 0}]
    printed = {"name": "X", "size": 1, "height": 1, "threshold": 3, "vital_table": rows}

    assert Entry.model_validate(printed).vital_table[0].text == "nothing more"
    with pytest.raises(ValidationError, match="expected both or neither"):
        Entry.model_validate({**printed, "threshold": None})


@pytest.mark.rule("emlia.gloss.leader")
def test_a_unit_that_has_lost_its_leader_is_disordered(field_of_battle: Build) -> None:
    battle = field_of_battle({"at": (50, 50)}, {"at": (60, 50), "put": {"leader": 0}}, BOB)

    changes = without(battle, 0)

    assert ("disordered", 1) in [(change.column, change.value) for change in changes]


@pytest.mark.rule("emlia.gloss.coverage")
def test_coverage_belongs_to_weapons_that_volley() -> None:
    circle = {"start": 1, "increment": 1, "limit": 10, "drift": 10}
    bow = {"name": "Longbow", "base_damage": 3, "range": [40, 80, 120], "coverage": circle}
    printed = {"name": "X", "size": 1, "height": 1}

    (longbow,) = Entry.model_validate({**printed, "weapons": [bow]}).weapons

    assert longbow.usable_for("area volley")
    with pytest.raises(ValidationError, match="needs a coverage"):
        Entry.model_validate(
            {**printed, "weapons": [{**bow, "coverage": None, "use": ["area volley"]}]}
        )


@pytest.mark.rule("emlia.lead.leader", "emlia.lead.leader.casualty-order")
def test_the_last_man_of_a_company_is_its_leader_and_stands_in_its_midst(
    field_of_battle: Build, play: Play
) -> None:
    company = {"at": (50, 50), "members": 9, "files": 3, "formation": "ranked"}
    battle = field_of_battle(company, {**BOB, "at": (50, 60)})
    place = leader_place(battle, 0).centroid

    battle.happen(Event(facts=Unread(event="hit"), changes=marked(battle, 1, 0, 0, 8)))
    play(battle, phase.resolve(battle))

    assert (place.x, place.y) == pytest.approx((50, 50))
    assert battle.state.units.integer("members", 0) == 1
    assert leader_of(battle, 0) == 0


class Player:
    """One who passes whenever he is asked, and remembers for whom."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int | None]] = []

    def decide(self, decision: Decision, picture: Any, dice: Any) -> Order:
        self.asked.append((decision.side, decision.unit))
        return next(order for order in decision.options if order.verb == "done")


class Shared:
    """A force in which every unit has a player of its own."""

    def __init__(self, players: dict[int | None, Player]) -> None:
        self.players = players

    def decide(self, decision: Decision, picture: Any, dice: Any) -> Order:
        return self.players[decision.unit].decide(decision, picture, dice)


@pytest.mark.rule("emlia.gloss.force")
def test_one_player_may_have_two_forces_and_two_players_share_one(field_of_battle: Build) -> None:
    forces = (
        setup.Side(name="Alice", colour="#000000", allies=("Carol",)),
        setup.Side(name="Carol", colour="#333333", lines="west"),
        setup.Side(name="Bob", colour="#ffffff", lines="north"),
    )
    battle = field_of_battle(
        {"at": (50, 10)}, {"at": (80, 10), "side": "Carol"}, {**BOB, "timing": 3},
        {**BOB, "at": (80, 190), "timing": 4}, sides=forces, order=(12, 6, 1), turns=1, turn=0,
    )  # fmt: skip
    both, bill, ben = Player(), Player(), Player()

    for _ in battle.run(commanders=[both, both, Shared({2: bill, 3: ben})]):
        pass

    assert {side for side, _ in both.asked} == {0, 1}
    assert {unit for _, unit in both.asked} == {0, 1}
    assert (bill.asked, ben.asked) == ([(2, 2)], [(2, 3)])


@pytest.mark.rule("emlia.gloss.mode")
def test_gears_are_as_much_a_mode_of_movement_as_the_ground_is(field_of_battle: Build) -> None:
    tank = {"at": (100, 20), "movement": "60G 10/20/40/60A", "put": {"last_speed": 42.0}}
    battle = field_of_battle(tank, {**BOB, "at": (20, 190)})
    crawl, drive = (
        Order(verb="move", unit=0, legs=(Leg(step="march", x=100, y=20 + far, facing=0),))
        for far in (15, 25)
    )

    refused = MoveValidator(battle, 0).refusal(crawl)

    assert situation_of(battle).entry(0).movements[0].gears == (10, 20, 40, 60)
    assert refused is not None
    assert refused.slug == "emlia.mode.accel"
    assert MoveValidator(battle, 0).refusal(drive) is None


@pytest.mark.rule("emlia.gloss.subunit")
def test_subunits_differ_in_statistics_or_in_what_they_carry_and_keep_both(
    field_of_battle: Build, play: Play
) -> None:
    spear = {"name": "Spear", "base_damage": 1}
    axe = {"name": "Axe", "base_damage": 4}
    men = {"members": 3, "at": (50, 50), "formation": "close", "name": "men", "weapons": [spear]}
    axeman = {"at": (50, 52), "group": "men", "weapons": [axe]}
    ogre = {"at": (52, 52), "group": "men", "size": 2, "skills": {"close combat": "4"}}
    foe = {**BOB, "at": (51, 54), "members": 5, "hits": 9, "formation": "close"}
    battle = field_of_battle(men, axeman, ogre, foe)

    blows = play(
        battle, close_combat(battle, 0, Order(verb="close-combat", unit=0)), [1] * (5 + 5 + 4)
    )

    assert parts_of(battle, 0) == (0, 1, 2)
    assert [(blow.unit, blow.facts.weapon, blow.facts.dice) for blow in blows] == [
        (0, "Spear", 5), (1, "Axe", 5), (2, "Fists", 4),
    ]  # fmt: skip
