"""The pace of a battle: the steps that are shown at once, and the times of their parts.

A *beat* is a run of steps that are shown together: one step, a phase, or a turn. All its moves
begin with it. Its shots and blows follow in their order, and losses come after the blows before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from emlia3d.battle.events import Event, Gesture
from emlia3d.view.pace import Pace
from emlia3d.view.session.timeline import Timeline

SECONDS: dict[Gesture, float] = {
    "none": 0.0,
    "turn": 0.4,
    "march": 1.1,
    "shoot": 0.9,
    "strike": 0.9,
    "suffer": 0.7,
    "waver": 0.7,
    "rally": 0.7,
    "vanish": 0.7,
}
"""Duration of events at speed 1."""

BLOWS: frozenset[Gesture] = frozenset({"shoot", "strike"})
LOSSES: frozenset[Gesture] = frozenset({"suffer", "waver", "rally", "vanish"})

MOVING_S = 1.6
"""Duration of the moves of a phase or turn."""

BLOWS_FROM = 0.5
"""Share of the moves after which the first shot falls."""

BLOW_S, APART_S, MOST_BLOWS_S = 0.9, 0.4, 6.0
"""Duration of a blow, the time between two, and the longest time that all of them take to begin."""

LOSSES_S = 0.9

MOST_S = 9.0
"""Longest duration of steps that are shown together."""


def seconds_of(events: Sequence[Event]) -> float:
    """Return how long a step is shown at speed 1: as long as the slowest of its parts."""
    return max((SECONDS[event.gesture] for event in events), default=0.0)


@dataclass(frozen=True, slots=True)
class Cue:
    """Steps whose marks are shown for a part of a beat, from and to in seconds."""

    from_s: float
    to_s: float
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Beat:
    """Steps that are shown together.

    since : the step before the first; step : the last
    moving_s : duration of the moves; falls_s : from when to when figures fall
    cues : when the marks of which steps are shown
    """

    since: int
    step: int
    seconds: float
    moving_s: float
    falls_s: tuple[float, float]
    cues: tuple[Cue, ...] = field(default=())

    def marked(self, shown_s: float) -> tuple[int, ...]:
        """Return the steps whose marks are shown; at the end, all of the last cue."""
        if shown_s >= self.seconds:
            return self.cues[-1].steps if self.cues else ()
        return tuple(
            step for cue in self.cues if cue.from_s <= shown_s < cue.to_s for step in cue.steps
        )

    def latest(self, shown_s: float) -> int:
        """Return the last step that has been shown."""
        if shown_s >= self.seconds:
            return self.step
        begun = (step for cue in self.cues[1:] if cue.from_s <= shown_s for step in cue.steps)
        return max(begun, default=self.since)


def alone(timeline: Timeline, step: int) -> Beat:
    """Return the beat of one step."""
    seconds = seconds_of(timeline.events(step))
    return Beat(step - 1, step, seconds, seconds, (0.0, seconds), (Cue(0.0, seconds, (step,)),))


def beat_end(
    timeline: Timeline, since: int, pace: Pace, begins: Callable[[Event], bool]
) -> int | None:
    """Return the last step of the beat after step *since*; None while it is not known.

    begins : whether a phase of the rules begins with an event
    """
    if pace == "unit":
        return since + 1 if since < len(timeline) else None
    for step in range(since + 1, len(timeline) + 1):
        first, *others = timeline.events(step)
        if step > since + 1 and _opens(first, pace, begins):
            return step - 1
        if any(_opens(event, pace, begins) for event in others):
            return step
    return len(timeline) if timeline.halted and len(timeline) > since else None


def _opens(event: Event, pace: Pace, begins: Callable[[Event], bool]) -> bool:
    return event.gesture == "turn" or (pace == "phase" and begins(event))


def together(timeline: Timeline, since: int, step: int) -> Beat:
    """Return the beat of the steps after *since*, up to *step*."""
    moves: list[int] = []
    groups: list[tuple[bool, list[int]]] = []
    for number in range(since + 1, step + 1):
        gestures = {event.gesture for event in timeline.events(number)}
        if "march" in gestures:
            moves.append(number)
        if gestures & BLOWS:
            groups.append((True, [number]))
        elif gestures & LOSSES:
            if groups and not groups[-1][0]:
                groups[-1][1].append(number)
            else:
                groups.append((False, [number]))
    moving_s = MOVING_S if moves else 0.0
    cues = [Cue(0.0, max(moving_s, SECONDS["turn"]), tuple(moves))]
    cues += _in_order(groups, BLOWS_FROM * moving_s)
    faster = min(MOST_S / max(cue.to_s for cue in cues), 1.0)
    cues = [Cue(cue.from_s * faster, cue.to_s * faster, cue.steps) for cue in cues]
    seconds = max(cue.to_s for cue in cues)
    losses = [cue for cue, (blow, _) in zip(cues[1:], groups, strict=True) if not blow]
    falls = (losses[0].from_s, losses[-1].to_s) if losses else (0.0, seconds)
    return Beat(since, step, seconds, moving_s * faster, falls, tuple(cues))


def _in_order(groups: Sequence[tuple[bool, list[int]]], at: float) -> Iterator[Cue]:
    """Yield the cues of blows, one shortly after another, and of losses after all before them."""
    blows = sum(blow for blow, _ in groups)
    apart, over = min(APART_S, MOST_BLOWS_S / max(blows, 1)), at
    for blow, steps in groups:
        at = at if blow else max(at, over)
        over = at + (BLOW_S if blow else LOSSES_S)
        yield Cue(at, over, tuple(steps))
        at += apart if blow else LOSSES_S
