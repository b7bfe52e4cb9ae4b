"""Actions: their table, action tests, and the side and formation that acts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from emlia3d.rules.epic.core import modified, succeeds
from emlia3d.rules.rulebook import rule, rule_rows


@dataclass(frozen=True, slots=True)
class ActionRow:
    """A row of the table of actions.

    slug : of its rule
    moves : maximum number of moves of the formation
    to_hit : modifier of the shooting; None for actions without shooting
    still : whether the units stay still
    one_of : whether it is either a move or a shot
    regroups : whether the formation regroups afterwards
    """

    slug: str
    moves: int
    to_hit: int | None
    still: bool = False
    one_of: bool = False
    regroups: bool = False


TABLE: Mapping[str, ActionRow] = {
    "advance": ActionRow("epic.act.advance", 1, 0),
    "double": ActionRow("epic.act.double", 2, -1),
    "engage": ActionRow("epic.act.engage", 1, None),
    "march": ActionRow("epic.act.march", 3, None),
    "marshal": ActionRow("epic.act.marshal", 1, -1, one_of=True, regroups=True),
    "overwatch": ActionRow("epic.overwatch.enter", 0, None, still=True),
    "sustained fire": ActionRow("epic.act.sustained", 0, 1, still=True),
    "hold": ActionRow("epic.act.hold", 1, 0, one_of=True),
    "special": ActionRow("epic.act.special", 0, None, still=True),
}


@rule_rows(
    "epic.act.advance", "epic.act.double", "epic.act.engage", "epic.act.march",
    "epic.act.marshal", "epic.act.sustained", "epic.act.hold", "epic.act.special",
)  # fmt: skip
def action_named(name: str) -> ActionRow:
    """Return an action."""
    return TABLE[name]


@rule("epic.action.table")
def declarable(special: Iterable[str] = ()) -> list[str]:
    """Return the actions that can be declared; Hold only follows from a failed test.

    special : special actions of the formation's units; the core set has none
    """
    return [name for name in TABLE if name not in {"hold", "special"}] + [*special]


def moving_actions() -> list[str]:
    """Return the actions that can contain a move."""
    return [name for name, row in TABLE.items() if row.moves]


# The test


@rule("epic.action.shock-minus")
def shock_modifier(shock: int) -> int:
    """Return the modifier of a formation's Shock, which is the same for any amount."""
    return -1 if shock else 0


@rule("epic.action.retain-minus")
def retain_modifier(*, retaining: bool) -> int:
    """Return the modifier of a formation that acts because its side retains the initiative."""
    return -1 if retaining else 0


def action_value(cr: int, shock: int, *, retaining: bool) -> int:
    """Return the value at or below which an action test passes."""
    return modified(cr, shock_modifier(shock), retain_modifier(retaining=retaining))


@rule("epic.action.test")
def passes(face: int, value: int) -> bool:
    """Return whether an action test passes."""
    return succeeds(face, value)


@rule("epic.action.fail")
def action_after_test(declared: str, *, passed: bool, broken: bool) -> str | None:
    """Return the action that follows a test: Hold after a failure; None for a broken formation."""
    if passed:
        return declared
    return None if broken else "hold"


@rule("epic.action.declare")
def may_declare_engage(reaches: bool) -> bool:
    """Return whether Engage can be declared: a charge must be possible before the test."""
    return reaches


# Sides and formations that act


@rule("epic.action.select")
def may_act(*, acted: bool, broken: bool) -> bool:
    """Return whether a formation can be selected."""
    return not acted and not broken


@rule("epic.action.alternate")
def next_holder(holder: int, ready: Sequence[int]) -> int:
    """Return the side that acts after a side has passed the initiative, if it can.

    ready : number of formations of each side that have not acted
    """
    return 1 - holder if ready[1 - holder] else holder


@rule("epic.action.retain-once", "epic.action.other-side-done")
def may_retain(holder: int, ready: Sequence[int], *, retained: bool) -> bool:
    """Return whether a side can retain the initiative: once, while the other side can act.

    If the other side cannot act, the side continues without retaining.
    """
    return not retained and ready[holder] > 0 and ready[1 - holder] > 0


@rule("epic.action.retain-choice")
def choices_after_action(*, may: bool) -> tuple[str, ...]:
    """Return the choices of the holder after its formation has acted."""
    return ("pass initiative", "retain initiative") if may else ("pass initiative",)


@rule("epic.action.phase-end")
def is_phase_over(ready: Sequence[int]) -> bool:
    """Return whether every unbroken formation has acted."""
    return not any(ready)
