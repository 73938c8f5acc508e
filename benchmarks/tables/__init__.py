"""The tables of the suite, one module each."""
