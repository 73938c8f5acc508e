"""Precondition-only variables under noise."""
