"""How hard hypothesis tries, quickly in CI and at length with `make test-deep`; and Ctrl-C in the tests' children."""

import os
import signal

from hypothesis import settings

# The same examples each time: what fails in CI fails again at home. The long run looks for new ones.
settings.register_profile("quick", max_examples=100, deadline=None, derandomize=True)
settings.register_profile("deep", max_examples=5_000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# A runner in the background may ignore SIGINT, and so would every process it starts; some tests are about Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
