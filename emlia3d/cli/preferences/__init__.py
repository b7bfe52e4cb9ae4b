"""The settings file of the window: its table of keys, and edits of single values."""
