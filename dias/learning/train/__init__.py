"""Training the network."""
