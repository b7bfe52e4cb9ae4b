"""Levels, thresholds, sides, measuring, scale and table rows for all chapters."""
