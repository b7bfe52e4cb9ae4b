"""Oathmark: battles of ranked blocks, with D10."""

from emlia3d.rules.oathmark.system import Oathmark

SYSTEM = Oathmark()

__all__ = ["SYSTEM"]
