"""Emlia, chapters 15.5 and 15.6 as play: the hits of pressing and of holding.

They are counted from the places before any move. The figures are in
`emlia3d.rules.emlia.tables.pushing`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.changes import Append, Change
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.basics.unit_edges import UnitEdge
from emlia3d.rules.emlia.columns import Acted
from emlia3d.rules.emlia.events.engagement import HeldItsGround, Pressed
from emlia3d.rules.emlia.play.acting.checks import marked
from emlia3d.rules.emlia.play.engagement.pushes import BREAK_RANKS, HOLD, Push, in_order
from emlia3d.rules.emlia.play.engagement.ranks import broken_pose
from emlia3d.rules.emlia.play.situation.contact import (
    able_against,
    able_at,
    block_of,
    boundary_of,
    in_reach_of,
    is_ranked,
    side_towards,
    side_towards_body,
)
from emlia3d.rules.emlia.play.situation.reach import engages
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.pushing import (
    hold_hits,
    hold_shares,
    may_press,
    press_base_damage,
    press_number,
    unengaged_behind,
)
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


@dataclass(frozen=True, slots=True)
class Press:
    """Press hits of one ranked unit on another, or on a whole skirmish.

    body : of the subject: all who share the hits, friends of the source too
    """

    unit: int
    subject: int
    body: tuple[int, ...]
    base_damage: int
    hits: int


def presses(moment: Moment, found: list[Push]) -> list[Press]:
    """Return the press of each ranked pusher's rear ranks on units pushed back to its front."""
    out = []
    for one in found:
        for pusher in one.by:
            press = press_of(moment, pusher.unit, one.body, pusher.presses)
            if press is not None and one.choice != HOLD:
                out.append(press)
    return out


def press_of(moment: Moment, unit: int, body: tuple[int, ...], share: float = 1) -> Press | None:
    """Return the press hits of a ranked unit on an enemy at its front; None if there are none.

    body : the enemy, or the skirmish that takes the hits as one mixed unit
    share : of their number that it may inflict
    """
    if not may_press(side_towards_body(moment, unit, body)):
        return None
    situation = situation_of(moment)
    side = moment.state.units.ints("side")
    foes = [one for one in body if moment.setup.hostile(int(side[unit]), int(side[one]))]
    base_damage = press_base_damage(situation.size(unit), max(situation.size(one) for one in body))
    if base_damage is None or not foes:
        return None
    here = able_at(moment, unit, boundary_of(moment, body))
    anywhere = here.copy()
    for foe in in_reach_of(moment, unit):
        anywhere |= able_against(moment, unit, foe)
    engaged = [foe for foe in foes if engages(situation, foe, unit)] or foes[:1]
    number = press_number(
        _pressing(moment, unit, here, anywhere),
        int(np.count_nonzero(here)),
        sum(int(np.count_nonzero(able_against(moment, foe, unit))) for foe in engaged),
        max(
            block_of(moment, part).ranks if is_ranked(moment, part) else 1
            for part in situation.parts(body[0])
        ),
    )
    hits = int(number * share)
    return Press(unit, foes[0], body, base_damage, hits) if hits else None


def _pressing(
    moment: Moment, unit: int, here: NDArray[np.bool_], anywhere: NDArray[np.bool_]
) -> int:
    """Return the number of members that press, in the ranks behind engaged ones, by subunit.

    here, anywhere : members engaged with that enemy, and with any; bool, (members of all,)
    """
    parts = situation_of(moment).parts(unit)
    ends = np.cumsum([moment.state.units.integer("members", part) for part in parts])[:-1]
    own = zip(parts, np.split(here, ends), np.split(anywhere, ends), strict=True)
    return sum(
        unengaged_behind(block_of(moment, part), mine, all_mine)
        for part, mine, all_mine in own
        if is_ranked(moment, part)
    )


@rule("emlia.push.break-ranks")
def apply_broken_ranks(
    moment: Moment, found: list[Push], made: list[Press]
) -> Procedure[tuple[list[Press], list[int]]]:
    """Decide which ranked pushers of units that break ranks stop pressing or break theirs too.

    Return the press hits that stay, and the pushers that break ranks.
    """
    broken = {one.unit for one in found if one.choice == BREAK_RANKS}
    answers: dict[int, bool] = {}
    for press in in_order(moment, made, lambda press: press.unit):
        if press.subject not in broken or press.unit in answers:
            continue
        if press.unit in broken:
            answers[press.unit] = True
        elif broken_pose(moment, press.unit) is None:
            answers[press.unit] = False
        else:
            choice = yield Decision(
                side=moment.state.units.integer("side", press.unit),
                asks="emlia.push.break-ranks",
                unit=press.unit,
                options=(
                    Order(verb="keep-ranks", unit=press.unit, target=press.subject),
                    Order(verb="press", unit=press.unit, target=press.subject),
                ),
            )
            answers[press.unit] = choice.verb == "press"
    kept = [one for one in made if one.subject not in broken or answers[one.unit]]
    return kept, [unit for unit in sorted(answers) if answers[unit] and unit not in broken]


def pressed(moment: Moment, press: Press, *because: str) -> Event:
    """Return the event of press hits; a skirmish shares them (`emlia.hits.skirmish`)."""
    changes: list[Change] = []
    party = -1
    if len(press.body) > 1:
        party = len(moment.state.lists["party"])
        changes += [Append(table="party", row={"party": party, "unit": one}) for one in press.body]
    changes += marked(
        moment, press.unit, press.subject, press.base_damage, press.hits,
        how=Acted.ATTACKED, party=party,
    )  # fmt: skip
    return Event(
        facts=Pressed(hits=press.hits, base_damage=press.base_damage),
        unit=press.unit,
        target=press.subject,
        gesture="strike",
        because=because or ("emlia.press.when", "emlia.press.number", "emlia.press.base-damage"),
        changes=tuple(changes),
        part_of_last=True,
    )


def held(moment: Moment, one: Push) -> Event:
    """Return the event of a unit that stands: a hit for each GSU, half as many on pushers.

    Each of its own hits is laid to one of the pushers, by the distance of its push.
    """
    front = [
        pusher for pusher in one.by if side_towards(moment, one.unit, pusher.unit) is UnitEdge.FRONT
    ]
    taken, back = hold_hits(one.distance, [int(pusher.distance) for pusher in front])
    shares = hold_shares(taken, [pusher.distance for pusher in one.by])
    changes: list[Change] = []
    for pusher, count in zip(one.by, shares, strict=True):
        if count:
            changes += marked(moment, pusher.unit, one.unit, 0, count, how=Acted.ATTACKED)
    for pusher, count in zip(front, back, strict=True):
        if count:
            changes += marked(moment, one.unit, pusher.unit, 0, count, how=Acted.ATTACKED)
    return Event(
        facts=HeldItsGround(hits=taken, back=sum(back)),
        unit=one.unit,
        target=one.by[0].unit,
        gesture="strike",
        because=("emlia.push.hold",),
        changes=tuple(changes),
        part_of_last=True,
    )
