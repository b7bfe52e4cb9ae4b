"""The words of Tin."""

from __future__ import annotations

from emlia3d.rulekit.words import WordTable, said
from tests.battle.toy_events import (
    Bumped,
    CalledIn,
    Done,
    Fell,
    Fled,
    Marched,
    RanDown,
    StoodStill,
    TurnBegan,
)

WORDS = WordTable(
    events=dict(
        (
            said(CalledIn, "Mother calls", "Mother calls", whole=True),
            said(TurnBegan, "A turn begins", ""),
            said(StoodStill, "{unit} <stands> still", "<stands> still"),
            said(Done, "", ""),
            said(Marched, "{unit} <marches>", "<marches>"),
            said(Bumped, "{unit} <bumps> {target}: {hits} hits", "<bumps> {target}"),
            said(Fell, "{figures} of {unit} fall over", "<loses> {figures}"),
            said(RanDown, "the spring of {unit} runs down by {worn}"),
            said(Fled, "{unit} <flees>", lambda e, f, n: "<takes> to <its> heels"),
        )
    ),
    orders={
        "wait": "wait",
        "march": lambda battle, order: (
            f"march {order.number} GSU ahead"
            if order.number is not None
            else f"march to {order.legs[-1].x:g}, {order.legs[-1].y:g}"
        ),
        "bump": "bump {target}",
        "stand": "stand",
        "flee": "run from the table",
    },
    questions={"tin.act": "{unit}: what next?", "tin.flee": "{unit}: stand or flee?"},
)
