"""The commands, each declared in a module of its own.

A module imports only what its ``--help`` needs. The implementation of the command is imported when
it runs.
"""
