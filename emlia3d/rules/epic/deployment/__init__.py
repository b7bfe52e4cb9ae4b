"""Deployment in play: the strips of the sides, and formations that are placed in turn."""
