"""Two domains compared literal by literal, with parameters and predicates matched."""
