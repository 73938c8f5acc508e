"""Learning from states that were observed with errors."""
