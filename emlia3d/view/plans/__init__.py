"""Drawings on paper: maps, sections, and what an eye sees."""
