"""The same successors by several ways, under one protocol."""
