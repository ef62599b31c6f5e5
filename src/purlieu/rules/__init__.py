"""The rules of the four games: the authority that everything else is held to.

Pure Python, written to be read beside the rulebooks. It uses nothing else of purlieu's.
"""

from .board import Point as Point
from .board import Square as Square
from .endings import Ending as Ending
from .errors import BadNotation as BadNotation
from .errors import BadSize as BadSize
from .errors import IllegalMove as IllegalMove
from .errors import PurlieuError as PurlieuError
from .errors import Refusal as Refusal
from .errors import Rule as Rule
from .errors import UnknownGame as UnknownGame
from .ledger import Ledger as Ledger
from .messages import Message as Message
from .moves import Capture as Capture
from .moves import Move as Move
from .moves import Paint as Paint
from .moves import Pass as Pass
from .moves import Place as Place
from .moves import Swap as Swap
from .position import Outcome as Outcome
from .position import Position as Position
from .registry import GAMES as GAMES
from .registry import Game as Game
from .registry import game as game
from .registry import parse as parse
from .registry import start as start
from .seats import Colour as Colour
from .seats import Seat as Seat
