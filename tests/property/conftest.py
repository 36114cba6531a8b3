"""Properties are never timed: how long one example takes says more of the machine than of the code."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
