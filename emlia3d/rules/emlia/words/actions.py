"""The actions of Emlia with their names, as the book has them."""

from __future__ import annotations

from emlia3d.rulekit.action_names import NamedAction
from emlia3d.rules.emlia.events import awareness, combat, engagement, losses, movement, turn
from emlia3d.rules.emlia.play.acting.checks import FOCUSED
from emlia3d.rules.emlia.play.combat.melee_orders import STRIKE_FIRST

_CLOSE_COMBAT = ("close-combat", STRIKE_FIRST, f"close-combat{FOCUSED}")
_FIRE = ("aim", f"aim{FOCUSED}", "fire", f"fire{FOCUSED}", "aim-feature", "fire-feature")

ACTIONS = (
    NamedAction("move", ("move",), (movement.Moved,)),
    NamedAction("double pace", ("double-pace",), (movement.DoublePaced, turn.DoublePaceDeclared)),
    NamedAction("drop down", ("drop-down",), (movement.DroppedDown,)),
    NamedAction("stand up", ("stand-up",), (movement.StoodUp,)),
    NamedAction("take cover", ("take-cover",), (movement.TookCover,)),
    NamedAction("leave cover", ("leave-cover",), (movement.LeftCover,)),
    NamedAction("leave the field", ("leave-field",), (movement.LeftTheField,)),
    NamedAction("slip out of the fight", ("slip-out",), (engagement.SlippedAway,)),
    NamedAction("take formation", ("declare",), (movement.Declared,)),
    NamedAction("break ranks", ("break-ranks", "press"), (engagement.BrokeRanks,)),
    NamedAction(
        "conceal",
        ("conceal-self", "conceal-self-only", "conceal-self-move", "conceal-self-primary"),
        (awareness.Hid, awareness.FailedToHide),
    ),
    NamedAction(
        "detect",
        ("detect-hidden",),
        (awareness.Detected, awareness.Searched, awareness.LookedAbout),
    ),
    NamedAction(
        "pass awareness",
        ("pass-awareness", "pass-awareness-primary", "pass-awareness-free"),
        (awareness.PassedAwareness, awareness.WasNotUnderstood),
    ),
    NamedAction("aimed fire", _FIRE, (combat.Fired,)),
    NamedAction("area volley", ("area-volley",), (combat.VolleyLoosed,)),
    NamedAction(
        "concentrated volley",
        ("concentrated-volley", "volley-feature"),
        (combat.VolleyConcentrated,),
    ),
    NamedAction("close combat", _CLOSE_COMBAT, (combat.Struck,)),
    NamedAction("free strike", (), (combat.StruckFree,)),
    NamedAction(
        "charge", ("charge", "charge-feature"), (movement.Charged, movement.ChargeFellShort)
    ),
    NamedAction("attack", ("hew",), (combat.Hewed,)),
    NamedAction("disengage", ("disengage",), (combat.Disengaged, combat.CouldNotDisengage)),
    NamedAction(
        "improve morale", ("improve-morale", "improve-morale-primary"), (losses.Encouraged,)
    ),
    NamedAction("reorder", ("reorder",), (losses.Reordered,)),
    NamedAction("ignore initiative", ("ignore-initiative",), (losses.Steadied,)),
    NamedAction("take command", ("take-command",), (losses.TookCommand,)),
    NamedAction("join", ("join-units",), (losses.Joined, losses.FailedToJoin)),
    NamedAction("split", ("split-unit",), (losses.Split, losses.FailedToSplit)),
    NamedAction("delay until timing", ("delay",), (turn.Delayed,)),
    NamedAction("prepare", ("prepare",), (turn.Prepared,)),
    NamedAction("show note", ("show-note",), (turn.ShowedANote,)),
    NamedAction("reveal note", ("reveal",), (turn.Revealed,)),
    NamedAction("pass", ("decline",), (turn.Declined,)),
    NamedAction("turn to face", ("align",), (movement.Aligned,)),
    NamedAction("envelop", ("envelop",), (engagement.Enveloped,)),
    NamedAction("follow up", ("follow-up",), (engagement.FollowedUp,)),
    NamedAction("turn on", ("face-and-push",), (engagement.TurnedToPush,)),
    NamedAction("hold ground", ("hold",), (engagement.HeldItsGround,)),
    NamedAction("break away", ("break-away",), (engagement.BrokeApart,)),
)
