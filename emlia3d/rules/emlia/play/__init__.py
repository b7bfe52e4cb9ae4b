"""Emlia as it is played: who may do what, when, and what comes of it.

The procedures of the book on a battle's state. The figures and tables that they use are the
modules of the package above, which know nothing of a battle.
"""
