"""Sight and awareness between units."""
