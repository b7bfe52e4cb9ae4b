"""The sight tool, viewsheds and the measuring tape: overlays and texts."""
