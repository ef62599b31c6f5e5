"""The arena: matches between any players, counted in pairs of games, with the statistics to read them by.

Uses `purlieu.rules`, `purlieu.records`, `purlieu.terminal`, `purlieu.engine` and `purlieu.ugi`.
"""

from .match import Match as Match
from .match import play_match as play_match
from .players import parse_player as parse_player
from .run import run as run
from .stats import Estimate as Estimate
from .stats import Pairs as Pairs
from .stats import Sprt as Sprt
from .stats import estimate as estimate
from .store import Store as Store
from .summary import summarise as summarise
