"""The key events of a battle of Emlia."""

from __future__ import annotations

from collections.abc import Mapping

from emlia3d.battle.changes import Set
from emlia3d.battle.events import Event, Facts
from emlia3d.battle.questions.highlights import Highlight
from emlia3d.battle.setup import Setup
from emlia3d.rules.emlia.columns import LOST
from emlia3d.rules.emlia.events.combat import (
    Fired,
    Struck,
    StruckFree,
    VolleyConcentrated,
    VolleyLoosed,
)
from emlia3d.rules.emlia.events.engagement import PushedBack
from emlia3d.rules.emlia.events.losses import Destroyed, Shaken
from emlia3d.rules.emlia.events.movement import Arrived, Charged, ChargeFellShort, LeftTheField
from emlia3d.rules.emlia.events.scheduled import Bombarded
from emlia3d.rules.emlia.events.turn import Captured
from emlia3d.rules.emlia.play.situation.parts import entry_of
from emlia3d.rules.emlia.tables.morale import state_of
from emlia3d.rules.emlia.unit_sets.roles import declared_role

_KINDS: Mapping[type[Facts], Highlight] = {
    Fired: "volley",
    VolleyLoosed: "volley",
    VolleyConcentrated: "volley",
    Bombarded: "volley",
    Charged: "charge",
    ChargeFellShort: "charge",
    Struck: "melee",
    StruckFree: "melee",
    PushedBack: "push",
    Destroyed: "destroyed",
    Captured: "destroyed",
    LeftTheField: "gone",
    Arrived: "arrival",
}
"""By the kind of event."""


_ENDS = (Destroyed, Captured, LeftTheField)
"""The events after which a unit fights no more."""


def highlights(setup: Setup, event: Event) -> tuple[Highlight, ...]:
    """Return the kinds of key event of an event: a rout only of a unit that stood before."""
    kinds: list[Highlight] = []
    if type(event.facts) in _KINDS:
        kinds.append(_KINDS[type(event.facts)])
    if isinstance(event.facts, Shaken) and _routs(event.facts):
        kinds.append("rout")
    if any(_loses_leader(change) for change in event.changes) or _is_a_leaders_end(setup, event):
        kinds.append("leader")
    return tuple(kinds)


def _routs(shaken: Shaken) -> bool:
    return state_of(shaken.after).name == "Routed" != state_of(shaken.before).name


def _is_a_leaders_end(setup: Setup, event: Event) -> bool:
    if event.unit is None or not isinstance(event.facts, _ENDS):
        return False
    return declared_role(entry_of(setup, event.unit)) == "leader"


def _loses_leader(change: object) -> bool:
    return isinstance(change, Set) and change.column == "leader" and change.value == LOST
