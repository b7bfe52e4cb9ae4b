"""Emlia's words for events: for each kind a sentence of the log, and the form of the report.

See `emlia3d.rulekit.words` for the fields and marks of the templates.
"""

from __future__ import annotations

from collections.abc import Mapping

from emlia3d.battle.events import Facts
from emlia3d.rulekit.commander import plan_words
from emlia3d.rulekit.english import listed, side
from emlia3d.rulekit.words import EventWords, said
from emlia3d.rules.emlia.events import (
    awareness,
    combat,
    engagement,
    losses,
    movement,
    scheduled,
    turn,
)
from emlia3d.rules.emlia.words import event_forms as forms

SILENT = ""
"""The text of events that are not reported."""

EVENTS: Mapping[type[Facts], EventWords] = dict(
    (
        # The turn and its activations
        said(turn.TurnBegun, "Turn {turn} begins", "Turn {turn}", whole=True),
        said(turn.TurnEnded, "Turn {turn} is over", "At the end of turn {turn}", whole=True),
        said(turn.StepBegun, "Timing {timing}", "Timing {timing}", whole=True),
        said(
            turn.FirstDrawn,
            "{order[0]} may activate first",
            lambda e, f, n: f"{side(f.order[0])} may activate first",
            whole=True,
        ),
        said(turn.Declined, "{side} <passes>", SILENT),
        *plan_words.EVENTS.items(),
        said(turn.Activated, SILENT, SILENT),
        said(turn.ActivationEnded, SILENT, SILENT),
        said(
            turn.Delayed, "{unit} <delays> until timing {timing}", "<delays> until timing {timing}"
        ),
        said(turn.DoublePaceDeclared, "{unit} <declares> double pace", SILENT),
        said(
            turn.ActedOfItself,
            "{unit} <acts> on initiative: {does}",
            "<acts> on initiative",
        ),
        said(turn.Prepared, "{unit} <prepares> actions", "<prepares> actions"),
        said(
            turn.ShowedANote,
            "{unit} <shows> <its> note: {does}",
            "<shows> <its> note: {does}",
        ),
        said(turn.Revealed, "{unit} <reveals> <its> note: {does}", "<reveals> <its> note"),
        said(turn.PreparedActionDue, SILENT, SILENT),
        said(
            turn.PreparedActionLost,
            "{unit} <loses> <its> prepared action: {does}",
            "<loses> <its> prepared action: {does}",
        ),
        said(turn.PreparedActionsEnded, SILENT, SILENT),
        said(turn.Resolved, SILENT, SILENT),
        said(turn.BattleEnded, forms.ended, forms.end, whole=True),
        said(turn.Captured, "{target} <takes> {unit} prisoner", "<is> taken prisoner by {target}"),
        # Movement, formation and posture; a report adds where a unit goes
        said(movement.Moved, "{unit} <moves>", "<moves>"),
        said(movement.DoublePaced, "{unit} <moves> at double pace", "<moves> at double pace"),
        said(movement.RolledOn, "{unit} <drives> straight on", "<drives> straight on"),
        said(movement.DroppedDown, "{unit} <drops> down", "<drops> down"),
        said(movement.StoodUp, "{unit} <stands> up", "<stands> up"),
        said(movement.TookCover, "{unit} <takes> cover", "<takes> cover"),
        said(movement.LeftCover, "{unit} <leaves> <its> cover", "<leaves> <its> cover"),
        said(movement.Declared, "{unit} <takes> {formation} formation"),
        said(movement.FoundNoWayOff, "{unit} cannot leave the field: an enemy blocks the way"),
        said(movement.LeftTheField, "{unit} <leaves> the field", "<leaves> the field"),
        said(movement.Arrived, "{unit} <arrives> on the field", "<arrives> on the field"),
        said(movement.Charged, "{unit} <charges> {target}", "<charges> {target}"),
        said(
            movement.ChargeFellShort,
            "{unit} <charges> {target}, and <falls> short",
            "<charges> {target}, and <falls> short",
        ),
        said(movement.Aligned, "{unit} <turns> to face {target}", "<turns> to face {target}"),
        said(movement.FellBack, "{unit} <falls> back", "<falls> back"),
        said(movement.Fled, "{unit} <flees>", "<flees>"),
        said(movement.DidNotGetAway, "{unit} cannot retreat", "cannot retreat"),
        # Combat
        said(
            combat.Fired,
            "{unit} <delivers> aimed fire at {target}, {distance:g} GSU ({band}): {rolled}",
            forms.aimed_fire,
        ),
        said(
            combat.VolleyConcentrated,
            "{unit} <delivers> a concentrated volley at {target}, {distance:g} GSU ({band}): "
            "{rolled}",
            forms.concentrated_volley,
        ),
        said(
            combat.VolleyLoosed,
            "{unit} <delivers> an area volley at {distance:g} GSU: {rolled}",
            forms.area_volley,
        ),
        said(combat.VolleyFell, forms.fell, forms.falls, whole=True),
        said(
            combat.Struck,
            "{unit} <fights> {target} in close combat: {rolled}",
            "<fights> {target} in close combat and {score}",
        ),
        said(
            combat.StruckFree,
            "{unit} <makes> a free strike at {target}: {rolled}",
            "<makes> a free strike at {target} and {score}",
        ),
        said(combat.FreeStrike, "{target} <moves> within reach of {unit}", SILENT),
        said(combat.Hewed, "{unit} <attacks> {target}: {rolled}", "<attacks> {target} and {score}"),
        said(
            combat.SceneryDamaged,
            "{feature} takes {points} damage",
            lambda e, f, n: f"{n.named(f.feature)} takes {f.points} damage",
            whole=True,
        ),
        said(
            combat.SceneryDestroyed,
            "{feature} is destroyed",
            lambda e, f, n: f"{n.named(f.feature)} is destroyed",
            whole=True,
        ),
        said(
            combat.Disengaged,
            "{unit} <disengages> from {target}: {rolled}",
            "<disengages> from {target}",
        ),
        said(
            combat.CouldNotDisengage,
            "{unit} <fails> to disengage from {target}: {rolled}",
            "<fails> to disengage from {target}",
        ),
        said(combat.KeptBusy, forms.kept_busy, forms.keeps_busy),
        said(
            combat.UsedAnAbility,
            "{unit} <uses> {ability} on {target}: {rolled}",
            "<uses> {ability} on {target}, and {score}",
        ),
        # Units that are engaged
        said(
            engagement.PushedBack,
            "{target} <pushes> {unit} back {distance:g} GSU",
            forms.pushed_back,
        ),
        said(
            engagement.BorneAlong, "{unit} <moves> {distance:g} GSU with the fight", forms.carried
        ),
        said(
            engagement.HeldItsGround,
            "{unit} <holds> <its> ground against {target}",
            "<holds> <its> ground against {target}",
        ),
        said(engagement.TurnedToPush, "{unit} <turns> on {target}", "<turns> on {target}"),
        said(engagement.FollowedUp, "{unit} <follows> up", "<follows> up"),
        said(engagement.Pressed, "{unit} <presses> {target}: {hits} hits", forms.presses),
        said(
            engagement.ForcedIntoAnEnemy,
            "{unit} <is> forced into {target}",
            "<is> forced into {target}",
        ),
        said(
            engagement.ForcedIntoAFriend,
            "{unit} <is> forced into {target}; both are disordered",
            "<is> forced into {target}, which disorders both",
        ),
        said(engagement.RanTogether, "{unit} and {target} become one unit"),
        said(
            engagement.DrawnIntoTheFight,
            "{unit} <is> drawn into the fight around {target}",
            "<is> drawn into the fight around {target}",
        ),
        said(
            engagement.BrokeApart,
            "{target} <breaks> away from {unit}; both become disordered",
        ),
        said(engagement.BrokeRanks, "{unit} <breaks> <its> ranks", "<breaks> <its> ranks"),
        said(
            engagement.Enveloped,
            "{members} of {unit} envelop {target}",
            "<envelops> {target} with {members}",
        ),
        said(engagement.CameBack, "{unit} <turns> back on {target}", "<turns> back on {target}"),
        said(
            engagement.SlippedAway,
            "{unit} <slips> out of the fight",
            "<slips> out of the fight",
        ),
        # Losses, morale and leaders
        said(losses.Suffered, forms.lost, forms.loses),
        said(losses.Destroyed, forms.perished, forms.perishes),
        said(
            losses.Heartened,
            "{unit} <gains> morale: {before} to {after}, {state}",
            forms.swayed,
        ),
        said(
            losses.Shaken,
            "{unit} <loses> morale: {before} to {after}, {state}",
            forms.swayed,
        ),
        said(losses.Held, "{unit} <stands> firm", "<stands> firm"),
        said(
            losses.Reordered,
            "{unit} <reorders> {object}: {rolled}",
            forms.led("<reorders> {}", "<fails> to reorder {}"),
        ),
        said(
            losses.Encouraged,
            "{unit} <improves> the morale of {object}: {rolled}",
            forms.led("<improves> {}", "<fails> to improve {}", forms.morale_of_object),
        ),
        said(
            losses.Steadied,
            "{unit} <makes> {object} ignore initiative: {rolled}",
            forms.led("<makes> {} ignore initiative", "<fails> to make {} ignore initiative"),
        ),
        said(
            losses.TookCommand,
            "{unit} <takes> command of {object}: {rolled}",
            forms.led("<takes> command of {}", "<fails> to take command of {}"),
        ),
        said(losses.Joined, forms.regrouped("<joins>"), forms.joins("<joins>")),
        said(
            losses.FailedToJoin, forms.regrouped("<fails> to join"), forms.joins("<fails> to join")
        ),
        said(losses.Split, forms.regrouped("<splits>"), forms.splits),
        said(
            losses.FailedToSplit, forms.regrouped("<fails> to split"), "<fails> to split {target}"
        ),
        # Hiding and finding
        said(awareness.Hid, "{unit} <conceals> <itself>: {rolled}", "<conceals> <itself>"),
        said(
            awareness.FailedToHide,
            "{unit} <fails> to conceal <itself>: {rolled}",
            "<fails> to conceal <itself>",
        ),
        said(
            awareness.Detected,
            "{unit} <detects> {target}: {rolled}, {needed} needed",
            "<detects> {target}",
        ),
        said(
            awareness.Searched,
            "{unit} <fails> to detect {target}: {rolled}, {needed} needed",
            "<fails> to detect {target}",
        ),
        said(awareness.LookedAbout, "{unit} <detects> no enemy", SILENT),
        said(
            awareness.PassedAwareness,
            "{unit} <passes> awareness of {target}: {rolled}",
            "<passes> awareness of {target}",
        ),
        said(
            awareness.WasNotUnderstood,
            "{unit} <fails> to pass awareness of {target}: {rolled}",
            "<fails> to pass awareness of {target}",
        ),
        said(
            awareness.Spotted,
            lambda e, f, n: f"{n.unit(e.unit)} <is> spotted in the open by {', '.join(f.by)}",
            lambda e, f, n: f"<is> spotted in the open by {listed(map(n.named, f.by))}",
        ),
        # Events that the scenario schedules
        said(scheduled.Bombarded, "{name}: {rolled}"),
        said(
            scheduled.Trembled,
            lambda e, f, n: f"{f.name}: {', '.join(f.thrown) or 'no unit'} knocked down",
        ),
        said(scheduled.Harmed, "{name}: {unit} <takes> {hits} hits"),
        said(scheduled.SweptAway, lambda e, f, n: f"{f.name}: {', '.join(f.features)} destroyed"),
        said(scheduled.EventsOver, SILENT, SILENT),
    )
)
"""By kind of event, in the order of the book's chapters."""
