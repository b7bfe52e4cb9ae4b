"""Drawings on paper: maps, sections, and the view of an eye."""
