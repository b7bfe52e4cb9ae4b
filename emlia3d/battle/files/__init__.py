"""Files of a battle: recording, reading, locks and bookmarks."""
