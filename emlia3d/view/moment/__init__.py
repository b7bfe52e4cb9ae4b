"""A battle at one moment, described for anything that draws: its troops, ground and words."""
