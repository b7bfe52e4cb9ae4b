"""Emlia, chapter 21 as play: forced moves, damage and morale, all at once."""
