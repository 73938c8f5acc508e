"""Traces sampled from a domain."""
