"""Effects that a network gives, state by state."""
