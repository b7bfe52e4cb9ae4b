"""Emlia, chapter 15 as play: who is engaged with whom, and what holds and pushes them."""
