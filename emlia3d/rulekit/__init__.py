"""Building blocks for rule systems."""
