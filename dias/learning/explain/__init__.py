"""Which bindings explain the transitions, and what holds under them."""
