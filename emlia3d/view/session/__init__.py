"""A watched battle: its moments so far, playing on, and the knowledge of its viewer."""
