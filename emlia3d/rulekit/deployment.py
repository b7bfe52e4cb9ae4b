"""Deployment in play: the sides place in turn the units that a scenario does not place."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import set_cells
from emlia3d.battle.decisions import Procedure
from emlia3d.battle.dice import Dice
from emlia3d.battle.events import Event, Facts
from emlia3d.battle.moment import Moment
from emlia3d.battle.plain_values import Whole
from emlia3d.force.table import Column
from emlia3d.rulekit.words import EventWords, said

WAITS = Column(table="unit", name="waits", label="is still to be deployed", words=("no", "yes"))
"""1 for a unit that its side must still deploy."""


class DeploymentBegan(Facts, frozen=True, kw_only=True):
    """The sides have rolled to decide which deploys first.

    faces : the dice, one for each side in each roll
    first : name of the side that deploys first
    """

    faces: tuple[Whole, ...]
    first: str


class Deployed(Facts, frozen=True):
    """A side has deployed a unit."""


class LeftOut(Facts, frozen=True):
    """A unit is not deployed, because there is no room for it."""


EVENTS: tuple[type[Facts], ...] = (DeploymentBegan, Deployed, LeftOut)

WORDS: dict[type[Facts], EventWords] = dict(
    (
        said(
            DeploymentBegan,
            "Deployment begins with {first}",
            "Deployment begins with {first}.",
            whole=True,
        ),
        said(Deployed, "{unit} <is> deployed", "<is> deployed"),
        said(LeftOut, "{unit} <finds> no room", "<finds> no room to deploy"),
    )
)
"""The words for the events."""


def waiting(moment: Moment, side: int | None = None) -> list[int]:
    """Return the units that one side, or both, must still deploy."""
    rows = np.flatnonzero(moment.state.units["waits"] != 0).tolist()
    sides = moment.state.units.ints("side")
    return [row for row in rows if side is None or sides[row] == side]


def side_to_deploy(moment: Moment, first: int) -> int:
    """Return the side that deploys now: *first*, if it has units left to deploy."""
    return first if waiting(moment, first) else 1 - first


def roll_off(
    battle: Battle,
    slug: str,
    roll: Callable[[Dice, str, int], tuple[int, ...]],
    *,
    phase: int,
    acts: str,
) -> Procedure[None]:
    """Roll a die for each side until they differ; the lower side deploys first.

    slug : of the rule of deployment
    roll : rolls dice of the rulebook, given the dice, the slug and their number
    phase : number of the phase of deployment
    acts : the column of the battle with the side that acts next
    """
    faces: list[int] = []
    while not faces or faces[-1] == faces[-2]:
        faces += roll(battle.dice, slug, 2)
    first = int(faces[-1] < faces[-2])
    yield Event(
        facts=DeploymentBegan(faces=tuple(faces), first=battle.setup.sides[first].name),
        because=(slug,),
        changes=set_cells("battle", 0, **{"phase": phase, acts: first}),
    )
