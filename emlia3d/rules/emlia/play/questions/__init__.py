"""Answers for people: sight and its reasons, odds of an attack, orders by pointing."""
