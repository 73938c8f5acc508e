"""STRIPS domains: the model, reading, writing, grounding, successors."""
