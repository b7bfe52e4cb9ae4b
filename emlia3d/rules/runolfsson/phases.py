"""The phases of a turn, and the models that attack in each."""

from __future__ import annotations

from collections.abc import Mapping

from emlia3d.rules.rulebook import rule
from emlia3d.rules.runolfsson.columns import Attacked, Phase, Turn

_NORMAL = (
    Phase.FIRST_MOVE, Phase.SECOND_MOVE, Phase.SPECIALS, Phase.STATIONARY, Phase.MORALE_ONE,
    Phase.MOVING, Phase.MORALE_TWO,
)  # fmt: skip
_MOVES = (Phase.FIRST_MOVE, Phase.SECOND_MOVE)
_FIGHTS = (Phase.STATIONARY, Phase.MOVING)

_SPECIAL_TURNS: Mapping[Turn, tuple[Phase, ...]] = {
    Turn.MAD_MINUTE: tuple(p for p in _NORMAL if p not in {*_MOVES, Phase.MOVING}),
    Turn.RUSH: tuple(p for p in _NORMAL if p not in _FIGHTS),
    Turn.HEAT_OF_BATTLE: tuple(p for p in _NORMAL if p not in {Phase.MORALE_ONE, Phase.MORALE_TWO}),
    Turn.HURRY_UP_AND_WAIT: (),
    Turn.SENSELESS_SLAUGHTER: _NORMAL,
    Turn.WIDE_SPREAD_PANIC: (Phase.MORALE_ONE,),
}


@rule("runolfsson.phase.order")
def normal_phases() -> tuple[Phase, ...]:
    """Return the phases of a normal turn after the initiative, in their order."""
    return _NORMAL


@rule("runolfsson.phase.super-overrides")
def phases_of(turn: Turn, *, end_only: bool = False) -> tuple[Phase, ...]:
    """Return the phases of a turn after the initiative, in their order.

    end_only : morale has one phase, at the end, where there are two
    """
    found = _SPECIAL_TURNS.get(turn, normal_phases())
    if end_only and Phase.MORALE_TWO in found:
        return tuple(phase for phase in found if phase is not Phase.MORALE_ONE)
    return found


@rule("runolfsson.phase.specials")
def may_use_special(turn: Turn, ran: bool, mindless: bool) -> bool:
    """Return whether a model with a special can activate it."""
    return Phase.SPECIALS in phases_of(turn) and not ran and not mindless


@rule("runolfsson.phase.stationary-eligible")
def may_attack_stationary(turn: Turn, moved: bool) -> bool:
    """Return whether a model can attack in the stationary attack phase, by its move."""
    return not moved or turn is Turn.MAD_MINUTE


@rule("runolfsson.phase.moving-eligible")
def may_attack_moving(attacked: Attacked) -> bool:
    """Return whether a model can attack in the moving attack phase."""
    return attacked is not Attacked.YES
