"""Studies: many battles of one scenario and its variants, and the statistics of their ends."""
