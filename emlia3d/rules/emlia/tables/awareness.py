"""Emlia, chapter 20: awareness, hiding, and finding hidden units.

Holds `emlia.aware.state`, `emlia.aware.default` and the values and tables of Conceal Self and
Detect Hidden Entity; they are played in `emlia3d.rules.emlia.play.sight.awareness` and
`emlia3d.rules.emlia.play.free_actions.hiding`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from emlia3d.battle.decisions import Refusal
from emlia3d.rules.emlia.basics.arcs import Arc
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.tables import Modified, Row, total
from emlia3d.rules.rulebook import rule, rule_rows

NEAR = 20.0
"""GSU below which an entity is easy to find; beyond, a totally concealed one needs a pointer."""
FAR = 60.0
"""GSU over which an entity is hard to find."""


@rule("emlia.aware.state", "emlia.aware.default", "emlia.sight.not-awareness")
def knows(concealment: Level, *, hidden: bool = False, acquired: bool = False) -> bool:
    """Return whether an observer is aware of a unit with this concealment.

    hidden : the observed has hidden from it and was not found since
    acquired : the observer has found it, or another unit pointed it out
    """
    match concealment:
        case Level.NONE:
            return True
        case Level.PARTIAL:
            return not hidden
        case Level.TOTAL:
            return acquired


class HidingIntent(Enum):
    """Planned use of a hiding unit's remaining turn, declared before the roll.

    NOTHING_ELSE : no action besides
    FREE_ACTIONS : it forfeits its other action, but may take free ones
    BOTH : it uses its move and its primary action
    """

    NOTHING_ELSE = "nothing else"
    FREE_ACTIONS = "free actions"
    BOTH = "both"


# fmt: off
CONCEAL: tuple[Row[HidingIntent], ...] = (
    Row("emlia.aware.conceal-self.mod.nothing-else", +2, lambda i: i is HidingIntent.NOTHING_ELSE),
    Row("emlia.aware.conceal-self.mod.both-actions", -2, lambda i: i is HidingIntent.BOTH),
)
# fmt: on


@rule_rows(*(row.slug for row in CONCEAL))
def conceal_modifier(intent: HidingIntent, rows: Sequence[Row[HidingIntent]] = CONCEAL) -> Modified:
    """Return the sum of the rows of Conceal Self that hold."""
    return total(rows, intent)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFacts:
    """The facts that a search for one enemy depends on.

    distance : GSU between nearest edges
    concealment : of the subject from the source
    source_size, subject_size : current values, posture included
    was_aware : the source was aware of the subject on its last activation
    moved : the subject moved on its last activation
    acted_on_known : the subject then did something to a unit that the source is aware of
    attacked_source : the subject then attacked the source
    acted_upon : a unit that the source is aware of has done something to the subject
    arc : of the source, in which the subject is
    """

    distance: float
    concealment: Level
    source_size: float = 1.0
    subject_size: float = 1.0
    was_aware: bool = False
    moved: bool = False
    acted_on_known: bool = False
    attacked_source: bool = False
    acted_upon: bool = False
    taking_cover: bool = False
    arc: Arc = Arc.FRONT
    subject_unaware: bool = False


def doublings(size: float, other: float) -> int:
    """Return how many times *size* can be doubled without exceeding *other*."""
    count = 0
    while 2 * size <= other:
        size, count = 2 * size, count + 1
    return count


# fmt: off
DETECT: tuple[Row[SearchFacts], ...] = (
    Row("emlia.aware.detect.mod.total",    -2, lambda s: s.concealment is Level.TOTAL),
    Row("emlia.aware.detect.mod.under-20", +1, lambda s: s.distance < NEAR),
    Row("emlia.aware.detect.mod.over-60",  -2, lambda s: s.distance > FAR),
    Row("emlia.aware.detect.mod.larger",   +1, lambda s: doublings(s.source_size, s.subject_size)),
    Row("emlia.aware.detect.mod.smaller",  -1, lambda s: doublings(s.subject_size, s.source_size)),
    Row("emlia.aware.detect.mod.was-aware", +1, lambda s: s.was_aware),
    Row("emlia.aware.detect.mod.moved",    +2, lambda s: s.moved),
    Row("emlia.aware.detect.mod.acted-on-known", +2, lambda s: s.acted_on_known),
    Row("emlia.aware.detect.mod.attacked-source", +2, lambda s: s.attacked_source),
    Row("emlia.aware.detect.mod.acted-upon", +2, lambda s: s.acted_upon),
    Row("emlia.aware.detect.mod.taking-cover", -1, lambda s: s.taking_cover),
    Row("emlia.aware.detect.mod.side-arc", -1, lambda s: s.arc is Arc.SIDE),
    Row("emlia.aware.detect.mod.rear-arc", -2, lambda s: s.arc is Arc.REAR),
    Row("emlia.aware.detect.mod.subject-unaware", +1, lambda s: s.subject_unaware),
)
# fmt: on

POINTERS = frozenset(
    f"emlia.aware.detect.mod.{key}" for key in ("was-aware", "acted-on-known", "attacked-source")
)
"""Rows that the book marks **, because they show the source where to look."""


@rule_rows(*(row.slug for row in DETECT))
def detect_modifier(search: SearchFacts, rows: Sequence[Row[SearchFacts]] = DETECT) -> Modified:
    """Return the sum of the rows of Detect Hidden Entity that hold."""
    return total(rows, search)


@rule("emlia.aware.detect.impossible")
def may_find(search: SearchFacts) -> Refusal | None:
    """Return why a search is impossible: a totally concealed, far enemy without a pointer."""
    if search.concealment is not Level.TOTAL or search.distance <= NEAR:
        return None
    if POINTERS.isdisjoint(detect_modifier(search).because):
        return Refusal(
            "emlia.aware.detect.impossible", "it is totally concealed, and nothing points to it"
        )
    return None


def threshold(kept: int, concealment: Level) -> int:
    """Return the number of successes that a search must exceed.

    kept : successes of the subject's Conceal Self in its last activation
    """
    return kept + (concealment is Level.TOTAL)
