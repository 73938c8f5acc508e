"""From pictures to a plan: two worlds, three ways; ``python -m examples.pictures``."""
