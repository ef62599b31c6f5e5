"""purlieu: the home of Petrify, Pilo, Pentwall and Pyloff.

>>> import purlieu
>>> p = purlieu.start("petrify", size=6).play("c3")
>>> print(p.to_move, p.colour_to_move)
Seat.SECOND Colour.ORANGE
"""

from .rules import GAMES as GAMES
from .rules import BadNotation as BadNotation
from .rules import BadSize as BadSize
from .rules import Capture as Capture
from .rules import Colour as Colour
from .rules import IllegalMove as IllegalMove
from .rules import Ledger as Ledger
from .rules import Move as Move
from .rules import Outcome as Outcome
from .rules import Paint as Paint
from .rules import Pass as Pass
from .rules import Place as Place
from .rules import Point as Point
from .rules import Position as Position
from .rules import PurlieuError as PurlieuError
from .rules import Refusal as Refusal
from .rules import Rule as Rule
from .rules import Seat as Seat
from .rules import Square as Square
from .rules import Swap as Swap
from .rules import UnknownGame as UnknownGame
from .rules import parse as parse
from .rules import start as start

__version__ = "0.1.0"


def _draw_svg(position: Position) -> str:
    from .drawing import svg  # only here: the rules need no drawing

    return svg(position)


Position.draw_svg = _draw_svg
