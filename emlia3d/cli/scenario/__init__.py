"""Commands that ask about a scenario, or about a position of a battle file."""
