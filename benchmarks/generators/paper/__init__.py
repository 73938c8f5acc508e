"""The domains of the paper, one module each."""
