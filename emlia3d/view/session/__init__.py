"""A battle at the window: its moments so far, playing on, and what its viewer may know."""
