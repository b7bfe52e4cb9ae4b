"""The former commander of Emlia, `plain`: appraisal, movement and decisions."""

from emlia3d.rules.emlia.doctrine.mind import MANNERS, Manner
from emlia3d.rules.emlia.doctrine.plain_commander import Doctrine

__all__ = ["MANNERS", "Doctrine", "Manner"]
