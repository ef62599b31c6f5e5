"""Training: self-play in the core, a net that learns from it, and what a run leaves behind.

Needs PyTorch (``pip install 'purlieu[train]'``). ``purlieu train`` is its face; ``python -m purlieu.train`` is the same
without the command line's packages. `read_games` reads what self-play has left, and needs no PyTorch. Uses
`purlieu.rules` and `purlieu.engine`.
"""

from .games import PlayedGame as PlayedGame
from .games import Turn as Turn
from .games import read_games as read_games
