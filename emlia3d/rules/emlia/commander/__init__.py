"""Emlia's adapter for the commander: unit profiles, worth of attacks, and moves to slots."""
