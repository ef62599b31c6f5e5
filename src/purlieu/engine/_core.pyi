"""
purlieu's native core. Use purlieu.engine, which takes and gives the positions of purlieu.rules.
"""

from collections.abc import Callable
from typing import Literal


class PlayoutTotals:
    @property
    def games(self) -> int: ...

    @property
    def plies(self) -> int: ...

    @property
    def first_wins(self) -> int: ...

    @property
    def draws(self) -> int: ...

    @property
    def seconds(self) -> float: ...

class Position:
    """A position of any game, as the core holds it. Immutable."""

    @staticmethod
    def start(game: str, size: int) -> Position: ...

    @staticmethod
    def parse(text: str) -> Position: ...

    @property
    def game(self) -> str: ...

    @property
    def size(self) -> int: ...

    @property
    def ply(self) -> int: ...

    @property
    def to_move(self, /) -> Literal['first', 'second']: ...

    @property
    def is_over(self) -> bool: ...

    def legal_moves(self) -> list[str]: ...

    def play(self, move: str) -> Position: ...

    def score(self) -> tuple[int, int]:
        """
        The score of the first colour and of the second, if the game ended here.
        """

    @property
    def winner(self, /) -> Literal['first', 'second', 'draw'] | None:
        """None while the game goes on."""

    def text(self) -> str: ...

    def hash(self) -> int: ...

    def check(self) -> bool: ...

    def perft(self, depth: int) -> int: ...

    def playouts(self, *, games: int | None = None, seconds: float | None = None, seed: int = 1) -> PlayoutTotals:
        """Uniform random games to the end, on this thread alone."""

def runs_avx2() -> bool:
    """Whether this processor can run the build for AVX2."""

class MoveReport:
    """What a search knows about a move, for the side to move."""

    @property
    def move(self) -> str: ...

    @property
    def visits(self) -> int: ...

    @property
    def share(self) -> float: ...

    @property
    def win_chance(self) -> float: ...

    @property
    def expected_score(self) -> float: ...

    @property
    def proven(self, /) -> Literal['win', 'loss', 'draw'] | None: ...

class Report:
    """What a search knows, for the side to move."""

    @property
    def simulations(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    @property
    def best_move(self) -> str: ...

    @property
    def win_chance(self) -> float: ...

    @property
    def expected_score(self) -> float: ...

    @property
    def proven(self, /) -> Literal['win', 'loss', 'draw'] | None: ...

    @property
    def line(self) -> list[str]: ...

    @property
    def moves(self) -> list[MoveReport]: ...

class Search:
    """
    A tree search from a position. Keeps its tree from run to run and move to move.
    """

    def __init__(self, position: Position, *, threads: int = 1, seed: int = 1, memory_mb: float = 256, preset: str = 'full', **settings: float) -> None:
        """
        The presets are 'full' and 'uct'; any setting of cpp/search/settings.h may be named besides.
        """

    def run(self, *, seconds: float | None = None, simulations: int | None = None, nodes: int | None = None, callback: Callable[[Report], object] | None = None, interval: float = 0.25) -> Report:
        """
        Searches until a limit is reached, the result is proven, stop() is called or Ctrl-C is pressed.
        """

    def stop(self) -> None:
        """Ends a run from another thread."""

    def report(self) -> Report: ...

    def advance(self, move: str) -> None:
        """Plays a move and keeps what is known about the position after it."""

    @property
    def position(self) -> Position: ...

    @property
    def bytes_used(self) -> int:
        """The memory that the search takes up now."""

class Solved:
    """What is proved of a position, for the side to move."""

    @property
    def value(self, /) -> Literal['win', 'loss', 'draw']: ...

    @property
    def margin(self) -> int | None:
        """Of the final score with perfect play, if that was asked for."""

    @property
    def best_move(self) -> str | None:
        """None if the game is over."""

    @property
    def line(self) -> list[str]:
        """Perfect play for both, as far as the solver still remembers it."""

    @property
    def nodes(self) -> int: ...

    @property
    def seconds(self) -> float: ...

class Solver:
    """An exact solver. Keeps its table from one position to the next."""

    def __init__(self, *, memory_mb: float = 1024) -> None: ...

    def solve(self, position: Position, *, seconds: float | None = None, nodes: int | None = None, score: bool = False, threads: int = 1, callback: Callable[[int, float], object] | None = None, interval: float = 0.5) -> Solved | None:
        """
        What the position is worth with perfect play, or None if a limit came first. With score, the margin too. callback(nodes, seconds) is called now and then.
        """

    def save(self, path: str, *, least_work: int = 10) -> int:
        """
        Writes what took at least 2^(least_work - 1) nodes to prove; returns the number of positions.
        """

    def load(self, path: str) -> int:
        """Adds what save() wrote; returns the number of positions."""

    def stop(self) -> None:
        """Ends a solve from another thread, without a result."""

    @property
    def nodes(self) -> int:
        """Of all solves so far."""
