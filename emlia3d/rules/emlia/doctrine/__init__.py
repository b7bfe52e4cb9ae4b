"""The doctrine commander of Emlia: how he values things, moves, and decides."""

from emlia3d.rules.emlia.doctrine.commander import Doctrine
from emlia3d.rules.emlia.doctrine.mind import MANNERS, Manner

__all__ = ["MANNERS", "Doctrine", "Manner"]
