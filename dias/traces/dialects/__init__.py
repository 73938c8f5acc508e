"""Traces in the formats of other projects."""
