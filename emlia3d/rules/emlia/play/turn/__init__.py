"""The turn: timing steps, activations, initiative, and the resolution phase."""
