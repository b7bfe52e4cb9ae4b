"""The odds of an attack, found by playing it every way that the dice can go."""
