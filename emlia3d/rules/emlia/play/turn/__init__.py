"""Emlia, chapters 4, 8, 9 and 22 as play: turns, activations, initiative, and how it ends."""
