"""Answers about recorded battles."""
