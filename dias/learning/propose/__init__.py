"""Where effects come from: the network, or single transitions."""
