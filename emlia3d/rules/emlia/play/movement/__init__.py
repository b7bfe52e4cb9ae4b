"""Emlia, chapters 11 to 13 as play: how units move, and over what."""
