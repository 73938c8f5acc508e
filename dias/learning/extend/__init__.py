"""Variables that occur in preconditions only."""
