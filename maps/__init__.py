"""The scenarios that ship, and their elevation."""
