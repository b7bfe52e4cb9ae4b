"""Emlia, one module a chapter."""
