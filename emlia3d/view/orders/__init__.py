"""Players at the window: their questions, answers and views. It needs no window."""
