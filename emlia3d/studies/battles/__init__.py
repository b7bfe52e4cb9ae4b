"""Studies: many battles of one scenario and its variants, and their statistics."""
