"""Casualties, morale and leaders."""
