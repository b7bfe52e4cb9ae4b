"""Moves: paths, legs, manoeuvres, and leaving the field."""
