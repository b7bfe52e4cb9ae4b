"""The command `rules`: counts of the catalogues, and single entries."""
