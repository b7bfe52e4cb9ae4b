"""What the tests' judge of sight says."""

from __future__ import annotations

from emlia3d.battle.questions.answer import CorridorAnswer, Intervening, Shadow
from emlia3d.battle.setup import Setup


def answer_of(setup: Setup, observer: int, target: int) -> CorridorAnswer:
    """The rock hides the whole width, under rules of nobody."""
    names = [unit.name for unit in setup.units]
    rock = Intervening(
        entity="rock",
        fraction=1.0,
        body="solid",
        height=6.0,
        distance=14.0,
        to_target=13.0,
        shadow=Shadow(length=20.0, total_depth=15.0),
        gives="total",
    )
    return CorridorAnswer(
        observer=names[observer],
        target=names[target],
        rules="nobody's",
        distance=35.0,
        line_of_sight=False,
        concealment="total",
        cover="total",
        damage=0,
        datum=0.0,
        observer_height=9.0,
        target_height=3.0,
        observer_footing=8.0,
        target_footing=2.0,
        members=None,
        intervening=(rock,),
        ground=None,
        because=("nobody.sight",),
        text="The rock is in the way.",
    )
