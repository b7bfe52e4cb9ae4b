"""Emlia as it is played: permissions, timing and effects of every action.

The procedures of the book on a battle's state. The figures and tables that they use are in
`emlia3d.rules.emlia.tables`, which knows nothing of a battle.
"""
