"""The commander: the worth of moments, fire, assaults and places to it, and its answers."""
