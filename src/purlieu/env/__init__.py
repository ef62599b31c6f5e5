"""The games as environments to learn in: PettingZoo for two agents, Gymnasium for one, and thousands of games a step.

Uses `purlieu.rules`, `purlieu.terminal` (to render) and `purlieu.engine`; needs the extra ``purlieu[env]``. Nothing is
registered anywhere. `docs/research.md` describes observations, actions and rewards.
"""

from .needs import require_packages

require_packages()

from .actions import ActionTable as ActionTable  # noqa: E402  (first say what is missing)
from .actions import action_table as action_table  # noqa: E402
from .aec import GameEnv as GameEnv  # noqa: E402
from .aec import aec as aec  # noqa: E402
from .aec import pentwall as pentwall  # noqa: E402
from .aec import petrify as petrify  # noqa: E402
from .aec import pilo as pilo  # noqa: E402
from .aec import pyloff as pyloff  # noqa: E402
from .against import Against as Against  # noqa: E402
from .against import against as against  # noqa: E402
from .batch import Batch as Batch  # noqa: E402
from .batch import batch as batch  # noqa: E402
