"""Edits of a scenario's text, which keep its comments and the order of its lines."""
