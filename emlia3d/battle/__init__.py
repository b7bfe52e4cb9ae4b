"""Battles: dice, orders, events, the state and its only writer, the flow of play, the log."""
