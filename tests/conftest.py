"""What holds for all tests: random examples are the same every time, however busy the machine."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "same",
    deadline=None,
    derandomize=True,  # `make fuzz` looks for new examples
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("same")
