"""PDDL text in and out: checked reading with positions, and writing."""
