"""Text entry in the window: one line at a time."""
