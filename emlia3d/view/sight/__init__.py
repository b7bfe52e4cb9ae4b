"""The sight tool, the ground that is seen, and the measuring tape: what they show and say."""
