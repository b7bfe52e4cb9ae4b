"""A battle at one moment, as a description for drawing: troops, ground and words."""
