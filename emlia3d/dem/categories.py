"""The names and colours of levels on a map."""

from __future__ import annotations

from emlia3d.field.geotiff_writing import Category

LEVELS = (
    Category("seen", (247, 231, 160)),
    Category("seen in part", (154, 154, 154)),
    Category("hidden", (107, 63, 160)),
)
"""By level: all of a target shows, some of it, or none."""
