"""Files into a battle ready to start, and every mistake in them at once."""
