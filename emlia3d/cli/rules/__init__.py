"""The command `rules`: counts of catalogue entries, and single entries."""
