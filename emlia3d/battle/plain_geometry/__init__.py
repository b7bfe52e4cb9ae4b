"""Questions answered by geometry alone, without the rules of a system."""
