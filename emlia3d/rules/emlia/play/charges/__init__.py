"""Charges, attacks on terrain features, and prepared attacks."""
