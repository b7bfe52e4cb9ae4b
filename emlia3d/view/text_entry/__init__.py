"""Text that is typed into the window: one line at a time."""
