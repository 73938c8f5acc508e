"""Runs, one or many: what they type, what their rows keep, and where they are done."""
