"""The kinds of terrain of a rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from emlia3d.battle.moment import Moment
from emlia3d.field.terrain import KINDS, Body, Feature, TerrainKind


@dataclass(frozen=True)
class TerrainBook:
    """The kinds of terrain of a rulebook.

    system : the name of its rule system
    kinds : the kind of the rulebook for each kind of terrain
    """

    system: str
    kinds: Mapping[str, str]

    @property
    def shared(self) -> tuple[str, ...]:
        """The kinds among them that all rule systems have."""
        return tuple(kind for kind in self.kinds if kind in KINDS)

    def own(self, name: str, height: float, body: Body, look: str) -> TerrainKind:
        """Return a kind of terrain that the system adds; see `TerrainKind`."""
        return TerrainKind(
            name=name, height=height, body=body, shape="area", system=self.system, look=look
        )

    def features(self, moment: Moment) -> list[tuple[int, Feature, str]]:
        """Return the kind in the rulebook of each feature on the field, by row."""
        present = moment.state.features["present"]
        return [
            (row, feature, self.kinds[feature.kind_for(self.system)])
            for row, feature in enumerate(moment.setup.field.features)
            if present[row]
        ]
