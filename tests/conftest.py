"""How hard hypothesis tries: quickly in CI, at length with `make test-deep`."""

import os

from hypothesis import settings

settings.register_profile("quick", max_examples=100, deadline=None)
settings.register_profile("deep", max_examples=5_000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
