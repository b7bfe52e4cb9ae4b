"""Free actions: rally, join and split units, hide and search."""
