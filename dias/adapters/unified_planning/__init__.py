"""Problems and planners of unified-planning, which is an optional extra.

Importing this without the library is an error that says how to install it, so whoever needs it
imports it when it is asked for.
"""

from __future__ import annotations

from dias.errors import PlannerError

try:
    import unified_planning as unified_planning
except ModuleNotFoundError as error:
    if error.name != "unified_planning":
        raise
    raise PlannerError(
        "expected the package unified-planning, found that it is not installed",
        remedy="Install it with: pip install 'dias-planning[planners]'",
    ) from None

from dias.adapters.unified_planning.reader import from_problem as from_problem
from dias.adapters.unified_planning.writer import to_problem as to_problem
