"""Checks, subjects and conditions of every action."""
