"""The doctrine commander of Emlia: how he values things, moves, and decides."""

from emlia3d.rules.emlia.doctrine.commander import Doctrine

__all__ = ["Doctrine"]
