"""Effects and bindings under noise."""
