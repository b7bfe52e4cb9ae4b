"""The actions of the window: one table, their keys, the list of keys and the menu. No window."""
