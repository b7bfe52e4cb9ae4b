"""The ground and the sky, and what stands between them."""
