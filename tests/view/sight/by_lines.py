"""An answer of rules that judge by lines: three of five are clear, the rock stops two."""

from __future__ import annotations

from emlia3d.battle.questions.answer import SightAnswer, SightLine

STARTS = (50.0, 54.0, 58.0, 61.0, 64.0)
"""Where the lines run due north, GSU; the rock lies from 60 to 66, 30 to 36 from the south."""

ANSWER = SightAnswer(
    observer="archers",
    target="bandits",
    rules="nobody's",
    distance=35.0,
    line_of_sight=True,
    because=("nobody.lines",),
    text="Two of the five lines are stopped by the rock.",
    verdict="3 of the 5 in front",
    degree=0.6,
    lines=tuple(
        SightLine(
            start=(x, 12.0),
            end=(x, 48.0),
            clear=x < 60,
            stopped_by=None if x < 60 else "rock",
        )
        for x in STARTS
    ),
)
