"""Commands about scenarios and positions of battle files."""
