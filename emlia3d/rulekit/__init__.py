"""Building blocks of rule systems, beside the battle itself."""
