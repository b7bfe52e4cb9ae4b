"""Measurements between units for rules: gaps, contacts, lines and moves."""
