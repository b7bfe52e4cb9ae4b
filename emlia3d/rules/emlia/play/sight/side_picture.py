"""The part of a battle that a side knows: its own units and the enemies it is aware of.

This module implements the rule `emlia.aware.picture`.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.derived import Each
from emlia3d.rulekit.commander.plan_record import ASSIGNED, MISSIONS, ORDERED
from emlia3d.rulekit.knowledge import Knowledge
from emlia3d.rules.emlia.columns import NoteState
from emlia3d.rules.emlia.play.sight.awareness import known_to, note_known
from emlia3d.rules.emlia.play.sight.sight_bodies import share_surface
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.going import share_steep_ground
from emlia3d.rules.emlia.play.situation.parts import heads_of, hostile_to, on_field
from emlia3d.rules.emlia.play.situation.prepared_notes import PreparedNote, slips_known_to
from emlia3d.rules.emlia.play.situation.situation import situation_after, situation_of
from emlia3d.rules.emlia.tables.morale import HIGHEST, LOWEST, state_of
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.state import State

_WHO = {
    "marker": ("subject", "attacker"),
    "push": ("attacker", "subject"),
    "party": ("unit",),
    "note": ("unit",),
    "prepared": ("holder",),
}
"""The columns of lists that name a unit."""

_BORNE = np.array(
    [(state.lowest + state.highest) // 2 for state in map(state_of, range(LOWEST, HIGHEST + 1))]
)
"""For each morale, from the lowest, the middle value of the state that enemies can see."""


class SidePicture:
    """The battle as one side sees it at the moment of a decision.

    battle : the battle as the side knows it: all facts about its own units and its allies' units;
        what can be seen of known enemies, which includes the state of their morale, but neither
        their notes nor their exact morale; nothing about other enemies
    side : its row
    own : its units on the field
    known : hostile units that at least one of its own is aware of
    missing : whether other enemies exist; which units took the field is public
    """

    def __init__(self, moment: Moment, side: int) -> None:
        self.side = side
        sides = moment.state.units.ints("side").tolist()
        self.own = [unit for unit in on_field(moment) if sides[unit] == side]
        self.known = [*known_to(moment, side)]
        self.missing = len(self.known) < len(hostile_to(moment, side))
        hostile = _hostile(moment, side)
        self.battle = _as_known(moment, side, hostile, self.known)
        situation = situation_of(moment)
        situation_after(situation, self.battle)
        if not situation.has_drawn:
            # Here drawn bodies are moved from other positions, so theirs can differ slightly.
            hostile[self.known] = False
            sight_cache = sight_cache_of(moment)
            sight_cache.look_ahead()
            sight_cache_of(self.battle).learn(sight_cache, np.flatnonzero(hostile))
        note_known(self.battle, side, tuple(self.known))

    @cached_property
    def notes(self) -> list[PreparedNote]:
        """The side's own notes of prepared actions, and other sides' notes that have been shown."""
        return slips_known_to(self.battle, self.side)


def _hostile(moment: Moment, side: int) -> NDArray[np.bool_]:
    """Return (units,) whether each unit is hostile to the side."""
    by_side = [moment.setup.hostile(side, other) for other in range(len(moment.setup.sides))]
    return np.array(by_side, dtype=np.bool_)[moment.state.units.ints("side")]


@rule("emlia.aware.picture")
def _as_known(moment: Moment, side: int, hostile: NDArray[np.bool_], known: list[int]) -> Battle:
    """Return the battle without the enemies that the side does not know of.

    If a mixed unit is known, its parts are known.
    """
    by_side = _KNOWLEDGE(moment)
    if side not in by_side:
        by_side[side] = _knowledge(moment, side)
    knowledge = by_side[side]
    state = moment.state
    heads = heads_of(moment, np.arange(len(state.units)))
    seen = np.zeros(len(heads), dtype=np.bool_)
    seen[known] = True
    unknown = hostile & ~seen[heads]
    told = {name: _known_rows(state, name, unknown) for name in _WHO if len(state.lists[name])}
    if "prepared" in told:
        told["prepared"] &= _open_notes(state, side)
    for name in (MISSIONS, ASSIGNED, ORDERED):
        told[name] = state.lists[name].ints("side") == side
    mine = knowledge.follow(state, unknown, told)
    # An unchanged unit looks the same again: the same look means the same state.
    morale = mine.state.units.ints("morale")[known]
    mine.state.units.writable("morale")[known] = _BORNE.take(morale - LOWEST, mode="clip")
    return mine


def _knowledge(moment: Moment, side: int) -> Knowledge:
    """Return a side's knowledge at its beginning; it shares the ground of the true battle."""
    knowledge = Knowledge(moment, side)
    share_surface(moment, knowledge.battle)
    share_steep_ground(moment, knowledge.battle)
    return knowledge


_KNOWLEDGE: Each[int, Knowledge] = Each(forks=False)
"""By side, a battle that holds what the side knows and follows the true one."""


def _known_rows(state: State, name: str, unknown: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return (rows,) whether each row of a list names only units that the side knows."""
    rows = state.lists[name]
    out = np.ones(len(rows), dtype=np.bool_)
    for column in _WHO[name]:
        named = rows.ints(column)
        out &= (named < 0) | ~unknown[named]
    return out


def _open_notes(state: State, side: int) -> NDArray[np.bool_]:
    """Return (rows,) True for the side's own notes and for notes that have been shown."""
    rows = state.lists["prepared"]
    shown: NDArray[np.bool_] = rows.ints("status") == NoteState.SHOWN
    shown |= state.units.ints("side")[rows.ints("holder")] == side
    return shown
