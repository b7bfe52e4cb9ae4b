"""Questions to a rule system beside play: sight, odds, ranges, orders in words, reports."""
