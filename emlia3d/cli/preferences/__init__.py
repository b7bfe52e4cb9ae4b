"""Parts of the file of the window's settings: its keys, and changes that leave the rest alone."""
