"""Emlia told as a battle report: sentences about units, paragraphs, turns."""
