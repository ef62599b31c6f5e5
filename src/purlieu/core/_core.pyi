"""
purlieu's native core. Use purlieu.engine, which takes and gives the positions of purlieu.rules.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Literal, overload

import numpy
import numpy.typing
from numpy.typing import NDArray


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

    def pyloff_boards(self) -> tuple[list[bytes], int]:
        """
        Pyloff: the board that the game began from and the one after each turn, as purlieu.rules keeps them, and how many passes in a row were just made.
        """

    def text(self) -> str: ...

    def hash(self) -> int: ...

    def check(self) -> bool: ...

    def perft(self, depth: int) -> int: ...

    def playouts(self, *, games: int | None = None, seconds: float | None = None, seed: int = 1) -> PlayoutTotals:
        """Uniform random games to the end, on this thread alone."""

    def actions(self) -> list[tuple[int, str]]:
        """The legal moves, each with the number of its action: docs/research.md."""

    def planes(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None, None))]:
        """
        What a net sees of this position: planes × rows × columns, from the lower left.
        """

    def policy_moves(self) -> list[tuple[int, str]]:
        """
        The legal moves on the board, each with the net's output that stands for it.
        """

    def owners(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None, None))]:
        """
        Who owns each cell as the board stands: 0 nobody, 1 the side to move, 2 the other, 255 no cell.
        """

def runs_avx2() -> bool:
    """Whether this processor can run the build for AVX2."""

class BatchEnv:
    """
    Many games of one kind at once. The arrays stay the same ones; each step writes into them.
    """

    def __init__(self, game: str, size: int, envs: int, *, threads: int = 1, planes: bool = True) -> None: ...

    def reset(self) -> None:
        """Begins all games anew."""

    @overload
    def step(self, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        Plays an action in each game, and begins those anew that are over. If any is not legal, plays none.
        """

    @overload
    def step(self, actions: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def random_actions(self, seed: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """A legal action for each game, by chance."""

    def text(self, env: int) -> str:
        """The position of a game, as purlieu.rules writes it."""

    @property
    def actions(self) -> int:
        """The number of actions."""

    @property
    def planes(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None, None, None))]:
        """
        What the sides to move see: games × planes × rows × columns. Empty if made without planes.
        """

    @property
    def mask(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None))]:
        """1 for each legal action."""

    @property
    def to_move(self) -> Annotated[NDArray[numpy.int8], dict(shape=(None,))]:
        """The seat whose turn it is: 0 or 1."""

    @property
    def reward(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None))]:
        """
        By seat: 1 and -1 where the last step ended a game, 0 in a draw and elsewhere.
        """

    @property
    def margin(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        The first seat's points less the second's where the last step ended a game, 0 elsewhere.
        """

    @property
    def done(self) -> Annotated[NDArray[numpy.bool_], dict(shape=(None,))]:
        """Whether the last step ended a game; a new one has begun there."""

class NetShape:
    """What goes into a net of a game and what comes out."""

    @property
    def game(self) -> str: ...

    @property
    def side(self) -> int: ...

    @property
    def inputs(self) -> int: ...

    @property
    def policy(self) -> int: ...

    @property
    def maps(self) -> int: ...

    @property
    def names(self) -> list[str]: ...

    @property
    def scales(self) -> list[float]: ...

def net_shape(game: str, size: int) -> NetShape: ...

class SelfPlayCounts:
    @property
    def evaluations(self) -> int: ...

    @property
    def games(self) -> int: ...

    @property
    def plies(self) -> int: ...

    @property
    def first_wins(self) -> int: ...

    @property
    def draws(self) -> int: ...

    @property
    def net_wins(self) -> int: ...

    @property
    def net_draws(self) -> int: ...

class SelfPlay:
    """
    Many games of one size at once, each waiting for one evaluation at a time.
    """

    def __init__(self, game: str, size: int, slots: int, *, seed: int = 1, threads: int = 1, full_simulations: int = 32, fast_simulations: int = 8, full_share: float = 1.0, considered: int = 16, gumbel_scale: float = 1.0, value_scale: float = 0.5, random_plies: tuple[int, int] = (0, 0), opponent: str | None = None, opponent_simulations: int = 0, openings: Sequence[Sequence[str]] = [], games: int = 0, noisy_plies: int = 0, end_nodes: float = 0.0) -> None:
        """
        openings: moves that games begin with; places take them in turn. games: a place plays so many and then
        rests; 0 for no end. noisy_plies: before this one gumbel_scale is 1, whatever it is later. end_nodes: ends of
        games that take so many nodes to prove are proved, and no such result is given away. opponent: 'uct', plain
        search by playouts, or 'net': then whose() tells which of two nets each place asks, and neighbouring places
        begin alike with the colours exchanged.
        """

    def step(self, policy: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], planes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> int:
        """
        Gives the evaluations that the last step asked for, plays on, and writes the planes of the next ones.

        Logits by output; win chance and margin of the side to move. Returns the number of games that ended.
        """

    def take(self) -> bytes:
        """The games that have ended since this was last asked: docs/selfplay.md."""

    def whose(self, asks: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """
        Writes 1 for each place whose planes are a question to the other net, and 0 for the rest.
        """

    @property
    def pairs(self, /) -> tuple[int, int, int, int, int]:
        """
        Of opponent='net': how many openings, played from both seats, gave the net 0, 0.5, 1, 1.5 and 2 points.
        """

    @property
    def counts(self) -> SelfPlayCounts: ...

class Replay:
    """Games to learn from, and rows drawn from them at random."""

    def __init__(self, game: str, *, threads: int = 1) -> None: ...

    def add(self, data: bytes) -> int:
        """Adds games as SelfPlay.take gives them, after playing each through."""

    def trim(self, rows: int) -> None:
        """
        Forgets the oldest games until no more than that many rows are left, or only one game that has any.
        """

    def sample(self, size: int, planes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None, None, None), order='C', device='cpu')], policy: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')], value: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')], margin: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')], owners: Annotated[NDArray[numpy.uint8], dict(shape=(None, None, None, None), order='C', device='cpu')], weight: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')], *, seed: int, value_mix: float = 0.0) -> None:
        """
        Fills arrays with rows of that size, each turned by a random symmetry.

        policy: -1 for no legal move, else a probability. value: win, loss, draw; mixed with the search's by
        value_mix. margin: final. weight: 1 if the policy counts.
        """

    @property
    def games(self) -> int: ...

    @property
    def rows(self) -> int: ...

    @property
    def sizes(self) -> dict[int, int]:
        """The number of rows by size."""

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

    def __init__(self, position: Position, *, threads: int = 1, seed: int = 1, memory_mb: float = 256, preset: str = 'full', net: Callable[[numpy.typing.NDArray[numpy.float32]], tuple[numpy.typing.NDArray[numpy.float32], float, float]] | None = None, **settings: float) -> None:
        """
        The presets are 'full' and 'uct'; any setting of cpp/search/settings.h may be named besides. A net is asked
        with planes, 1 × planes × rows × columns, and answers with logits by output, and with the win chance and the
        margin of the side to move.
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
        """
        The memory that tree and proofs take up now; a net's answers are kept beside them.
        """

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
