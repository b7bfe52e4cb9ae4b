"""The turning points of a battle of Emlia."""

from __future__ import annotations

from collections.abc import Mapping

from emlia3d.battle.changes import Set
from emlia3d.battle.events import Event
from emlia3d.battle.questions.highlights import Highlight
from emlia3d.rules.emlia.columns import LOST
from emlia3d.rules.emlia.tables.morale import state_of

_KINDS: Mapping[str, Highlight] = {
    "fired": "volley",
    "volley loosed": "volley",
    "volley concentrated": "volley",
    "bombarded": "volley",
    "charged": "charge",
    "charge fell short": "charge",
    "struck": "melee",
    "struck free": "melee",
    "pushed back": "push",
    "destroyed": "destroyed",
    "captured": "destroyed",
    "left the field": "gone",
    "arrived": "arrival",
}
"""By the name of the event."""


def highlights(event: Event) -> tuple[Highlight, ...]:
    """What kinds of turning point an event is: a rout only where the unit stood until then."""
    kinds: list[Highlight] = []
    if event.name in _KINDS:
        kinds.append(_KINDS[event.name])
    if event.name == "shaken" and _routs(event):
        kinds.append("rout")
    if any(_loses_leader(change) for change in event.changes):
        kinds.append("leader")
    return tuple(kinds)


def _routs(event: Event) -> bool:
    before, after = event.facts.get("before"), event.facts.get("after")
    if not isinstance(before, int) or not isinstance(after, int):
        return False
    return state_of(after).name == "Routed" != state_of(before).name


def _loses_leader(change: object) -> bool:
    return isinstance(change, Set) and change.column == "leader" and change.value == LOST
