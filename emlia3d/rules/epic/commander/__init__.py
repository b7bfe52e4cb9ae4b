"""The AI `doctrine` of Epic: evaluation of moments, fire, assaults and positions."""
