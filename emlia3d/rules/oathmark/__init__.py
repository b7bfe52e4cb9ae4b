"""Oathmark: ranked blocks that activate by turns, with D10."""

from emlia3d.rules.oathmark.system import Oathmark

SYSTEM = Oathmark()

__all__ = ["SYSTEM"]
