"""The columns of Emlia in the state of a battle."""

from __future__ import annotations

from enum import IntEnum

from emlia3d.force.table import Column
from emlia3d.rulekit.commander.plan_record import COLUMNS as MISSION_COLUMNS
from emlia3d.rules.emlia.preparation import ACTION_CELLS, CELLS


class Phase(IntEnum):
    """The next phase of the battle."""

    TURN = 0
    ACTIVATION = 1
    EVENTS = 2


class MoraleNote(IntEnum):
    """A note on a unit for the next resolution; each is a fact of the morale tables."""

    CHARGE_FAILED = 0
    OUTNUMBERED = 1
    OUTNUMBERS = 2
    NEAREST_FRIEND_RETREATING = 3
    ALL_FRIENDS_RETREATING = 4
    FRIENDS_CASUALTIES = 5
    FRIENDS_WIPED_OUT = 6
    IMPROVED = 7
    REORDERED = 8
    FRIEND_RAN_THROUGH = 9
    BROKE_APART = 10


class Acted(IntEnum):
    """The strongest action of a unit on another in its last activation, or since."""

    DONE = 1
    ATTACKED = 2
    SHOT = 3


class Attacked(IntEnum):
    """The ways in which a unit has attacked another since the other's last activation, as bits.

    For attacks from afar, concealment and cover of the target matter.
    """

    HAND_TO_HAND = 1
    IN_THE_OPEN = 2
    CONCEALED = 4
    COVERED = 8


class NoteState(IntEnum):
    """The state of the note of a prepared action."""

    SPENT = 0
    SECRET = 1
    SHOWN = 2


class Armour(IntEnum):
    """The effect of a hit on its subject's armour."""

    IGNORED = 0
    COUNTS = 1
    PIERCED = 2


OWN, LOST = -1, -2
"""In the column "leader": one of the unit's own members, or none; else the leader's row."""

_YES = ("no", "yes")


def _unit(name: str, label: str, words: tuple[str, ...] = (), default: float = 0) -> Column:
    dtype = "f8" if isinstance(default, float) else "i8"
    return Column(table="unit", name=name, dtype=dtype, label=label, words=words, default=default)


COLUMNS = (
    _unit("morale", "morale"),
    _unit("disordered", "disordered", _YES),
    _unit("leader", "led by one of", default=-1),
    _unit("commanded", "has just come under another's command", _YES),
    _unit("ignoring", "ignores its conditions when it activates", _YES),
    _unit("posture", "posture", ("standing", "prone", "fallen", "kneeling")),
    _unit("taking_cover", "taking cover", _YES),
    _unit("timing", "timing this turn"),
    _unit("activated", "has activated", _YES),
    _unit("delayed", "has delayed", _YES),
    _unit("activations", "activations so far"),
    _unit("acted_at", "resolutions before its last activation began", default=-1),
    _unit("resumes", "goes on with what it has left when it activates", _YES),
    _unit("move_used", "has used its move", (*_YES, "for its posture")),
    _unit("primary_used", "has used its primary action", _YES),
    _unit("free_used", "free actions taken, one bit each"),
    _unit("double_paced", "at double pace", _YES),
    _unit("moved", "moved in its last activation", _YES),
    _unit("forced", "was forced to where it stands", _YES),  # only in older battle files
    _unit("hid", "successes at hiding in its last activation"),
    _unit("last_speed", "speed of its last move", default=0.0),
    _unit("charged", "charged in its last activation", _YES),
    _unit("preparing", "carries out prepared actions", _YES),
    _unit("leftover", "may use what its compelled move left", _YES),
    _unit("aligned", "penalty for aligning"),
    _unit("strike_owed", "a free strike has cost its next primary action", _YES),
    _unit("improved_at", "activations when its morale was last worked on", default=-1),
    _unit("damage", "damage carried"),
    _unit("check_modifier", "lasting modifier from wounds"),
    _unit("speed_share", "share of its speed left by wounds", default=1.0),
    _unit("strength_now", "members or damage left when the turn began"),
    _unit("lost_turn", "lost this turn"),
    _unit("hurt_at", "turn in which it last took damage"),
    _unit("rows_given", "morale rows had this turn, one bit each"),
    _unit("captured", "is a prisoner", _YES),
    _unit("casualties_at", "resolution in which it last took casualties", default=-1),
    Column(table="side", name="last_activation", label="last activation"),
    Column(table="side", name="declined", label="has declined", words=_YES),
    Column(table="battle", name="phase", label="phase"),
    Column(table="battle", name="step", label="timing step"),
    Column(table="battle", name="acted", label="something was done in this step", words=_YES),
    Column(table="battle", name="activations", label="activations so far"),
    Column(table="battle", name="resolutions", label="resolutions so far"),
    Column(table="battle", name="ended", label="the battle is over", words=_YES),
    # attacker, subject: the turn of the last attack
    Column(table="pair", name="attacked", label="attacked in turn"),
    # attacker, subject: how, one bit each, since the subject's last activation ended
    Column(table="pair", name="attack", label="attacked since its activation, one bit each"),
    # attacker, subject: damage points that hits from afar may have done since the same
    Column(table="pair", name="harmed", dtype="f8", label="harmed from afar"),
    # friend, unit: the army value of one wiped out in sight since the friend's activation began
    Column(table="pair", name="mourned", dtype="f8", label="saw die"),
    # attacker, subject: Close Combat made in this step; 1 downhill, 2 on a level, 3 uphill
    Column(table="pair", name="fought", label="fought hand to hand in this step"),
    # either of two units that have fought: on which side of it, 0 where it is not ranked
    Column(table="pair", name="front", label="fought in this step across"),
    # attacker, subject: known to each other until they no longer engage
    Column(table="pair", name="met", label="have fought and still engage", words=_YES),
    # unit, one of a skirmish: it has come to its boundary, or been drawn into it
    Column(table="pair", name="joined", label="has joined the skirmish of", words=_YES),
    # unit, friend: the army value of one in retreat who has run through it since its activation
    Column(table="pair", name="ran_through", dtype="f8", label="was run through by"),
    # observer, enemy: it hid, and the observer has not found it since
    Column(table="pair", name="hidden", label="hidden from", words=_YES),
    # observer, enemy: known though it cannot be seen, until the observer's activation of this
    # number ends
    Column(table="pair", name="acquired", label="found, up to activation"),
    # observer, enemy: known as the observer's last activation ended
    Column(table="pair", name="was_aware", label="known in the last activation", words=_YES),
    # source, subject: of the source's actions, from its last activation on
    Column(table="pair", name="acted_on", label="acted on",
           words=("", *(acted.name.lower() for acted in Acted))),
    # source, enemy: number of its members barred from free strikes while the two are engaged
    Column(table="pair", name="barred", label="kept from free strikes"),
    # unit, enemy in its combat range when the step began
    Column(table="pair", name="engaged_before", label="engaged when the step began", words=_YES),
    # hits to become damage in the resolution
    *(
        Column(table="marker", name=name, label=label)
        for name, label in (
            ("subject", "on"), ("attacker", "by"), ("base_damage", "base damage"),
            ("hits", "hits"), ("unseen", "attacker unseen"), ("party", "shared among"),
            ("arc", "arc struck"),
            ("focused", "on that subunit alone"),
        )
    ),
    Column(table="marker", name="armour", label="armour", default=Armour.COUNTS,
           words=tuple(armour.name.lower() for armour in Armour)),
    Column(table="feature", name="damage", label="damage"),
    # hits on features of terrain
    *(
        Column(table="battering", name=name, label=label)
        for name, label in (("feature", "on"), ("base_damage", "base damage"), ("hits", "hits"))
    ),
    # a volley that has been loosed and not fallen yet: its weapon, by number, and its mark
    Column(table="lob", name="weapon", label="weapon"),
    Column(table="lob", name="successes", label="successes"),
    *(Column(table="lob", name=name, dtype="f8", label=name) for name in ("x", "y")),
    # at how many turn ends running each victory condition has held, in the scenario's order
    Column(table="aim", name="held", label="turn ends held"),
    # notes of prepared actions, a row for each trigger
    *(
        Column(table="prepared", name=name, label=label)
        for name, label in (("holder", "of"), ("note", "note"))
    ),
    Column(table="prepared", name="status", label="status",
           words=tuple(state.name.lower() for state in NoteState)),
    *(
        Column(table="prepared", name=name, dtype="f8", label=name.replace("_", " "), default=-1.0)
        for name in (*ACTION_CELLS, *CELLS)
    ),
    # the units that share a skirmish's hits
    Column(table="party", name="party", label="party"),
    Column(table="party", name="unit", label="unit"),
    # close-combat successes that move the loser in the resolution, or a whole skirmish
    *(
        Column(table="push", name=name, label=label)
        for name, label in (("attacker", "by"), ("subject", "on"), ("successes", "successes"))
    ),
    Column(table="push", name="shift", label="moves the skirmish", words=_YES),
    *MISSION_COLUMNS,
    # facts that the morale tables need from before the resolution
    Column(table="note", name="unit", label="of"),
    Column(table="note", name="what", label="what",
           words=tuple(note.name.lower().replace("_", " ") for note in MoraleNote)),
    Column(table="note", name="amount", dtype="f8", label="army value or amount"),
)  # fmt: skip
