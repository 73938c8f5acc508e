"""Successors by joins over the atoms of a state."""
