"""Where to look from, and what lies under the pointer."""
