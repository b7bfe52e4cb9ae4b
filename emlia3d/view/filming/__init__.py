"""Films of battles: what is shown when, where one looks from, and the file they are written to."""
