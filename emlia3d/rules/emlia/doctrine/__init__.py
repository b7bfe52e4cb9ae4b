"""The former commander of Emlia, `plain`: appraisal, movement and decisions."""

from emlia3d.rules.emlia.doctrine.commander import Doctrine
from emlia3d.rules.emlia.doctrine.mind import MANNERS, Manner

__all__ = ["MANNERS", "Doctrine", "Manner"]
