"""The reachable states as a graph, and what traces show of them."""
