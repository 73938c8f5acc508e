"""Transitions as learning looks at them."""
