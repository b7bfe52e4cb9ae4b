"""The window's parts: playback, key events and bookmarks, panels over the picture."""
