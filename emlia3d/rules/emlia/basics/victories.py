"""Levels of victory."""

from __future__ import annotations

LEVELS = ("minor victory", "victory", "major victory", "massacre")
"""Levels of victory conditions, the lowest first."""
