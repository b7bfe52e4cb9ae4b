"""Actions of the window: their table, keys, list of keys and menu. It needs no window."""
