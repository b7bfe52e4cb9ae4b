"""Levels of victory."""

from __future__ import annotations

LEVELS = ("minor victory", "victory", "major victory", "massacre")
"""Levels that a victory condition may have, the lowest first."""
