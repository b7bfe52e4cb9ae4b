"""Queries to a rule system outside play: sight, odds, ranges, orders in words, reports."""
