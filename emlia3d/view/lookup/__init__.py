"""Lookup of rules in the window."""
