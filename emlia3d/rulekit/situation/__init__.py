"""Places of units as rules measure them: gaps, contacts, lines between them, and moves."""
