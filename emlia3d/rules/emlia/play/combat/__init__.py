"""Shots and blows: weapons, targets, checks and hits."""
