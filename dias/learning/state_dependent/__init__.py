"""Several actions for one whose effects depend on the state."""
