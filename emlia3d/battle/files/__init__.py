"""Files of a battle: recorded, read again, locked and replaced as a whole."""
