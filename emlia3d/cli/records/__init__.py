"""Commands about recorded battles and studies."""
