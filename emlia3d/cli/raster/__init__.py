"""Answers about rasters of elevations, and a scenario cut from one."""
