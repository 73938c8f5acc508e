"""Learning from states of which not all is certain."""
