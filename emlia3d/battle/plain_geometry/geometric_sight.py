"""Geometric sight of one unit on another, without rules: the visible fraction of the target."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.plain_geometry.geometric_sight_text import format_geometric_sight
from emlia3d.battle.plain_geometry.solids import Solids, solids_of
from emlia3d.battle.questions.answer import Body, GeometricAnswer, HiddenPart
from emlia3d.battle.unit_outlines import outline_of
from emlia3d.geometry import visible_shares

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_PLACES = 9

Floats = NDArray[np.float64]


def true_answer(moment: Moment, observer: int, target: int) -> GeometricAnswer:
    """Return the geometric sight of one unit on another.

    Members are bodies as wide as their space, with eyes at their tops. Neither members of the two
    units nor features that any of them stands in hide anything.
    """
    return _Question(moment, observer, target).answer()


class _Question:
    """One unit's view of another, in metres.

    shares : (eyes, members), visible fraction of each member from each eye past solid bodies
    best : the first of the eyes with the largest mean visible fraction
    """

    def __init__(self, moment: Moment, observer: int, target: int) -> None:
        self.setup, self.state = moment.setup, moment.state
        self.observer, self.target = observer, target
        self.solids: Solids = solids_of(moment)
        solids, features = self.solids, moment.setup.field.features
        self.eyes = solids.eyes(observer)
        self.members = solids.members(target)
        inside = [*solids.stood_in(observer), *solids.stood_in(target)]
        solid = [row for row, feature in enumerate(features) if feature.body == "solid"]
        self.left_out = [row for row in dict.fromkeys(inside) if row in solid]
        others = (solids.units >= 0) & ~np.isin(solids.units, (observer, target))
        in_way = np.isin(solids.features, solid) & ~np.isin(solids.features, self.left_out)
        self.solid = np.flatnonzero(others | in_way)
        self.sparse = np.flatnonzero((solids.features >= 0) & ~np.isin(solids.features, solid))
        self.shares = self._shares(self.eyes, self.solid)
        self.best = int(np.round(self.shares.mean(axis=1), _PLACES).argmax())

    def _shares(self, eyes: Floats, obstacles: Sequence[int] | NDArray[np.intp],
                ground: bool = True) -> Floats:  # fmt: skip
        solids = self.solids
        return visible_shares(
            solids.bodies, eyes, self.members, obstacles, solids.surface, ground_hides=ground
        )

    def _seen(self, obstacles: Sequence[int] | NDArray[np.intp], ground: bool = True) -> float:
        """Return the visible fraction of the target from the best eye past these obstacles."""
        eye = self.eyes[self.best : self.best + 1]
        return float(self._shares(eye, obstacles, ground).mean())

    def answer(self) -> GeometricAnswer:
        """Return the complete answer."""
        scale, bodies, share = self.setup.field.scale, self.solids.bodies, self.shares
        upright = scale.metres_per_height
        rows = self.solids.members(self.observer), self.members
        feet = [float(np.median(bodies.base[of])) / upright for of in rows]
        tops = [float(np.median((bodies.base + bodies.height)[of])) / upright for of in rows]
        datum = min(feet)
        x, y, z = self.eyes[self.best].tolist()
        visible = float(share[self.best].mean())
        clear = self._seen(np.concatenate([self.solid, self.sparse])) if visible else 0.0
        names = [self.setup.units[row].name for row in (self.observer, self.target)]
        outlines = [self._outline(row) for row in (self.observer, self.target)]
        found = GeometricAnswer(
            observer=names[0],
            target=names[1],
            rules="true",
            distance=float(shapely.distance(*outlines)),
            line_of_sight=bool(share.any()),
            visible_share=_even(visible),
            through=_even(visible - clear),
            eye=(
                _even(scale.gsu_of_metres(x)),
                _even(scale.gsu_of_metres(y)),
                _even(z / upright - datum),
            ),
            eyes=len(share),
            eyes_that_see=int(share.any(axis=1).sum()),
            members=share.shape[1],
            members_seen=int(share.any(axis=0).sum()),
            datum=_even(datum),
            observer_height=_even(tops[0] - datum),
            target_height=_even(tops[1] - datum),
            observer_footing=_even(feet[0] - datum),
            target_footing=_even(feet[1] - datum),
            hiding=tuple(sorted(self._hiding(outlines, datum), key=lambda each: each.distance)),
            ground=None if self.solids.surface is None else _even(1 - self._seen([])),
            stood_in=tuple(self.setup.field.features[row].name for row in self.left_out),
            text="",
        )
        return dataclasses.replace(found, text=format_geometric_sight(found, self.setup.field))

    def _outline(self, unit: int) -> shapely.Polygon:
        return outline_of(self.setup, self.state, unit)

    def _hiding(self, ends: Sequence[shapely.Geometry], datum: float) -> Iterator[HiddenPart]:
        """Yield each obstacle that would hide some of the target alone, units before features."""
        solids, field = self.solids, self.setup.field
        upright = field.scale.metres_per_height
        for unit in np.unique(solids.units[self.solid]).tolist():
            if unit >= 0 and (share := self._alone(solids.members(unit))):
                tops = (solids.bodies.base + solids.bodies.height)[solids.members(unit)]
                yield _hiding(self.setup.units[unit].name, "solid", share,
                              float(np.median(tops)) / upright - datum,
                              self._outline(unit), ends)  # fmt: skip
        for body in (*self.solid.tolist(), *self.sparse.tolist()):
            row = int(solids.features[body])
            if row >= 0 and (share := self._alone([body])):
                feature = field.features[row]
                top = float(solids.bodies.base[body] + solids.bodies.height[body])
                yield _hiding(feature.name, feature.body, share, top / upright - datum,
                              feature.outline, ends)  # fmt: skip

    def _alone(self, obstacles: Sequence[int] | NDArray[np.intp]) -> float:
        return _even(1 - self._seen(obstacles, ground=False))


def _even(number: float) -> float:
    """Return a number without the rounding errors of conversions to metres and angles."""
    return round(number, _PLACES) + 0.0


def _hiding(
    name: str,
    body: Body,
    share: float,
    height: float,
    outline: shapely.Geometry,
    ends: Sequence[shapely.Geometry],
) -> HiddenPart:
    near, far = (float(shapely.distance(outline, end)) for end in ends)
    return HiddenPart(
        entity=name, body=body, share=share, height=_even(height), distance=near, to_target=far
    )
