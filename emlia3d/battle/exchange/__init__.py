"""Commanders that other code provides: their messages, and their answers as orders."""
