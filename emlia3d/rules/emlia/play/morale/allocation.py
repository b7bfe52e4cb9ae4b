"""Emlia, chapter 21.3 as play: who of a mixed unit, or of a skirmish, takes which hits.

The arithmetic is in `emlia3d.rules.emlia.tables.allocation`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.rules.emlia.basics.arcs import Arc
from emlia3d.rules.emlia.columns import Armour
from emlia3d.rules.emlia.play.situation.parts import head_of, parts_of
from emlia3d.rules.emlia.tables.allocation import allocate_hits
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


@dataclass(frozen=True, slots=True)
class HitMarker:
    """Equal hits of one attacker on one unit.

    because : the rules by which this unit takes them, where others might have
    """

    attacker: int
    base_damage: int
    hits: int
    armour: Armour
    unseen: bool
    arc: Arc = Arc.FRONT
    because: tuple[str, ...] = ()


@rule("emlia.hits.direct-subunit")
def markers_by_row(moment: Moment) -> Procedure[dict[int, list[HitMarker]]]:
    """Return the markers that each subunit, or plain unit, takes.

    Focused hits go to their subunit directly; other hits on a mixed unit, and hits on a
    skirmish's side, are allocated among its subunits.
    """
    rows, parties = moment.state.lists["marker"], moment.state.lists["party"]
    out: dict[int, list[HitMarker]] = {}
    shared: dict[tuple[int, ...], list[HitMarker]] = {}
    for row in range(len(rows)):
        marker = HitMarker(
            _whose(moment, rows.integer("attacker", row)), rows.integer("base_damage", row),
            rows.integer("hits", row), Armour(rows.integer("armour", row)),
            bool(rows.value("unseen", row)), tuple(Arc)[rows.integer("arc", row)],
        )  # fmt: skip
        party, subject = rows.integer("party", row), rows.integer("subject", row)
        if rows.value("focused", row):
            direct = replace(marker, because=("emlia.hits.direct-subunit",))
            out.setdefault(subject, []).append(direct)
            continue
        units = (head_of(moment, subject),)
        if party >= 0:
            units = tuple(sorted(parties.ints("unit")[parties.ints("party") == party].tolist()))
        takers = tuple(dict.fromkeys(part for unit in units for part in parts_of(moment, unit)))
        shared.setdefault(takers or units, []).append(marker)
    for takers, markers in shared.items():
        if len(takers) == 1:
            out.setdefault(takers[0], []).extend(markers)
            continue
        for taker, taken in (yield from shares(moment, takers, markers)):
            out.setdefault(taker, []).extend(taken)
    return out


def _whose(moment: Moment, attacker: int) -> int:
    """Return the unit that is credited with hits; negative if no unit is."""
    return attacker if attacker < 0 else head_of(moment, attacker)


@rule("emlia.hits.skirmish")
def shares(
    moment: Moment, takers: tuple[int, ...], markers: list[HitMarker]
) -> Procedure[list[tuple[int, list[HitMarker]]]]:
    """Markers on several subunits or units as on one mixed unit, each of them a subunit.

    Markers of one base damage go in groups; within a group the attackers follow one another by
    number, as all have struck at once.
    Those count that were there when the attack was made, even if they have left since.
    """
    members = {row: moment.state.units.integer("members", row) for row in takers}
    alive = [row for row in takers if members[row]]
    hits = {
        damage: sum(m.hits for m in markers if m.base_damage == damage)
        for damage in sorted({marker.base_damage for marker in markers})
    }
    damages = list(hits)
    ties = Ties(moment, tuple(alive), members, hits)
    alive = yield from ties.of_subunits()
    damages = yield from ties.of_groups(alive)
    (table,) = ties.tables([(alive, damages)])
    because = _shares_because(moment, alive, members, hits)
    out: dict[int, list[HitMarker]] = {row: [] for row in takers}
    for group, damage in enumerate(damages):
        queue = sorted((m for m in markers if m.base_damage == damage), key=_by_attacker)
        left = [m.hits for m in queue]
        for taker, row in enumerate(alive):
            wanted = int(table[taker, group])
            for at, marker in enumerate(queue):
                take = min(wanted, left[at])
                wanted, left[at] = wanted - take, left[at] - take
                if take:
                    out[row].append(replace(marker, hits=take, because=because))
    return list(out.items())


def _shares_because(
    moment: Moment, alive: Sequence[int], members: Mapping[int, int], hits: Mapping[int, int]
) -> tuple[str, ...]:
    """Return the rules by which hits are shared out among subunits or units.

    members : of each of them; hits : of each base damage
    """
    counts = [members[row] for row in alive]
    because = ["emlia.hits.allocate", "emlia.hits.subunit-quota"]
    because += ["emlia.hits.subunit-ties"] if len(set(counts)) < len(counts) else []
    because += ["emlia.hits.groups", "emlia.hits.group-order"] if len(hits) > 1 else []
    skirmish = len({head_of(moment, row) for row in alive}) > 1
    return (*because, "emlia.hits.skirmish") if skirmish else tuple(because)


def _by_attacker(marker: HitMarker) -> tuple[int, ...]:
    """Return a row of markers that does not ask which was laid first."""
    shot = (marker.hits, marker.armour.value, int(marker.unseen), tuple(Arc).index(marker.arc))
    return marker.attacker, *shot


@dataclass(frozen=True, slots=True)
class Ties:
    """The choices of the controller of units that take hits: the order of units and of hits.

    No choice is offered if it makes no difference, or if the units are of several sides.

    members : of each subunit; hits : of each base damage
    """

    battle: Moment
    rows: tuple[int, ...]
    members: Mapping[int, int]
    hits: Mapping[int, int]

    @rule("emlia.hits.subunit-ties")
    def of_subunits(self) -> Procedure[list[int]]:
        """Return the subunits; ties in size are in the order in which they are to take hits."""
        battle = self.battle
        order = yield from self._ordered(
            "emlia.hits.subunit-ties", self.rows, self.members,
            lambda row: Order(verb="hit-first", unit=head_of(battle, row), target=row),
            lambda rows: (rows, tuple(self.hits)),
        )  # fmt: skip
        return order

    @rule("emlia.hits.group-order")
    def of_groups(self, rows: Sequence[int]) -> Procedure[list[int]]:
        """Return the base damages; ties in number are in the order in which they are taken."""
        unit = head_of(self.battle, self.rows[0]) if self.rows else None
        order = yield from self._ordered(
            "emlia.hits.group-order", tuple(self.hits), self.hits,
            lambda damage: Order(verb="hit-with", unit=unit, number=damage),
            lambda damages: (rows, damages),
        )  # fmt: skip
        return order

    def tables(
        self, orders: Sequence[tuple[Sequence[int], Sequence[int]]]
    ) -> list[NDArray[np.int32]]:
        """Return the hits of each kind on each unit, for each order of units and damages."""
        rows, groups = (len(things) for things in orders[0])
        taken = allocate_hits(
            [self.members[row] for alive, _ in orders for row in alive],
            np.arange(len(orders) + 1) * rows,
            [damage for _, damages in orders for damage in damages],
            [self.hits[damage] for _, damages in orders for damage in damages],
            np.arange(len(orders) + 1) * groups,
        )
        return list(taken.reshape(len(orders), rows, groups))

    def _ordered(
        self,
        asks: str,
        things: tuple[int, ...],
        sizes: Mapping[int, int],
        option: Callable[[int], Order],
        whole: Callable[[Sequence[int]], tuple[Sequence[int], Sequence[int]]],
    ) -> Procedure[list[int]]:
        sides = {self.battle.state.units.integer("side", row) for row in self.rows}
        order, left = list[int](), list(things)
        while left:
            most = max(sizes[thing] for thing in left)
            tied = [thing for thing in left if sizes[thing] == most]
            chosen = tied[0]
            if len(sides) == 1 and len(tied) > 1 and self._differ(order, tied, left, whole):
                options = tuple(option(thing) for thing in tied)
                answer = yield Decision(
                    side=min(sides), asks=asks, unit=options[0].unit, options=options
                )
                chosen = tied[options.index(answer)]
            order.append(chosen)
            left.remove(chosen)
        return order

    def _differ(
        self,
        order: list[int],
        tied: list[int],
        left: list[int],
        whole: Callable[[Sequence[int]], tuple[Sequence[int], Sequence[int]]],
    ) -> bool:
        """Return whether it makes a difference who of the tied comes next."""
        orders = [
            whole([*order, thing, *(other for other in left if other != thing)]) for thing in tied
        ]
        outcomes = [
            {
                (row, damage): int(table[taker, group])
                for taker, row in enumerate(rows)
                for group, damage in enumerate(damages)
            }
            for (rows, damages), table in zip(orders, self.tables(orders), strict=True)
        ]
        return any(outcome != outcomes[0] for outcome in outcomes)
