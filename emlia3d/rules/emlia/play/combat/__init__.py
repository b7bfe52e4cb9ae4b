"""Emlia, chapters 7, 14 and 17 as play: attacks, whether made at once or prepared."""
