"""Unit sets: units, weapons, abilities and armies."""
