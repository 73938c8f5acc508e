"""The garden of `tests.cli.helpers` as values, and a short walk in it."""

from dias.strips.pddl.reader import parse_domain, parse_problem
from tests.cli.helpers import DOMAIN, PROBLEM
from tests.traces.files import step

GARDEN = parse_domain(DOMAIN)
PLOT = parse_problem(PROBLEM, GARDEN)

PIPES = ["(pipe north rose)", "(pipe south rose)", "(pipe south leek)"]
NAMED = {"dias": "trace/1", "problem": "plot", "static": PIPES}
"""A header."""

START = ["(shut north)", "(shut south)", "(dry rose)", "(dry leek)"]
OPEN = ["(open north)", "(shut south)", "(dry rose)", "(dry leek)"]
BOTH = ["(open north)", "(open south)", "(dry rose)", "(dry leek)"]
WALK = [step(START, "turn-on", OPEN), step(OPEN, "turn-on", BOTH), step(BOTH, "turn-off", OPEN)]
"""Three transitions between three of the 16 states."""
