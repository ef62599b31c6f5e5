"""The computer players: nine levels over the native search, which is loaded when it is first asked to think.

Uses `purlieu.rules` and the native core, and `purlieu.nets` where a net plays.
"""

from .analysis import Analysis as Analysis
from .analysis import MoveAnalysis as MoveAnalysis
from .engine import Engine as Engine
from .engine import analyse as analyse
from .engine import best_move as best_move
from .levels import LEVELS as LEVELS
from .levels import Level as Level
from .levels import find_level as find_level
