"""Units in contact: ranks, pushes, press hits and follow-ups."""
