"""The commands as they are typed, each declared in a module of its own.

A module loads nothing that its ``--help`` does not need: what answers the command is loaded when
it runs.
"""
