"""Rules that are looked up in the window."""
