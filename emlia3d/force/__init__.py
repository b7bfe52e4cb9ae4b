"""The troops: figures in columns, units over them, formations as places on the ground.

The words used everywhere: a *figure* is one model, the row of the figure table; a *unit* is a
row of the unit table, and figures belong to the units that have no units below them; a unit's
*members* are its figures that still stand; its *pose* is the middle of its front line and its
facing; its *boundary* is the outline drawn round its members.
"""

from emlia3d.force.facing import FULL_CIRCLE, facing_of_degrees, facing_towards, unit_vector
from emlia3d.force.formation import FORMATIONS, Formation, FormationLayout
from emlia3d.force.roster import (
    CORE_COLUMNS,
    CORE_UNIT_COLUMNS,
    FigureCondition,
    Roster,
    Troops,
    UnitDeployment,
)
from emlia3d.force.table import Column, Table

__all__ = [
    "CORE_COLUMNS",
    "CORE_UNIT_COLUMNS",
    "FORMATIONS",
    "FULL_CIRCLE",
    "Column",
    "FigureCondition",
    "Formation",
    "FormationLayout",
    "Roster",
    "Table",
    "Troops",
    "UnitDeployment",
    "facing_of_degrees",
    "facing_towards",
    "unit_vector",
]
