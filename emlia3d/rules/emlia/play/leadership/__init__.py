"""Emlia, chapters 6 and 10 as play: leaders, and the units that they join, split and command."""
