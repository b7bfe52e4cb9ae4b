"""Emlia, chapters 19 and 20 as play: who sees whom, how well, why, and who knows it."""
