"""Meaning: the rule systems, which know nothing of files, windows or seeds."""
