"""Epic: formations, Shock and hexes."""

from emlia3d.rules.epic.system import Epic

SYSTEM = Epic()

__all__ = ["SYSTEM"]
