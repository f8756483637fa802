"""Settings of the property tests: few enough examples for a busy machine, the same every time."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "dpdocs",
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("dpdocs")
