"""Training: self-play in the core, a net that learns from it, and what a run leaves behind.

Needs PyTorch (``pip install 'purlieu[train]'``), except for `read_games`, which reads the games of self-play.

The rooms, lowest first: `data`; `network` and `report`; `learning`, `quantisation` and `selfplay`; `running`. To
follow a run, read `running.loop` first. The modules beside this file are programs: ``python -m purlieu.train.NAME``.
"""

from __future__ import annotations

from .data.game_records import PlayedGame as PlayedGame
from .data.game_records import Turn as Turn
from .data.game_records import read_games as read_games
