"""Emlia's knowledge for the commander: units as bodies, attacks and their worth, moves to slots."""
