"""The editor of scenarios: what is in hand, its panels and its marks. No window, no files."""
