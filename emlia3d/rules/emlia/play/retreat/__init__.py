"""Forced moves: falling back, routing, pushes, and leaving a skirmish."""
