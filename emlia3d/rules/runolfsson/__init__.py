"""Runolfsson's skirmish of single models, with D10."""

from emlia3d.rules.runolfsson.system import Runolfsson

SYSTEM = Runolfsson()

__all__ = ["SYSTEM"]
