"""A net, ready to judge positions."""

from __future__ import annotations

import functools
import hashlib
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from purlieu.core import core
from purlieu.rules import GAMES, Message, PurlieuError

from .check import OUTPUTS, read_checked
from .shape import Shape

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from purlieu.core._core import Position as CorePosition


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a net thinks of a position at first sight, for the side to move."""

    win_chance: float
    """A draw counts half."""
    margin: float
    deviation: float
    """Of the final margin."""
    policy: dict[str, float]
    """How likely each legal move is the best."""
    owners: dict[str, float]
    """Who will own each square: from 1, surely the side to move, to -1, surely the other. In Pyloff each vertical line
    by its lowest point: whose marble ends up on top."""


class Net:
    """One net of one game, for every size of its board.

    Any number of threads may ask it at a time; each question runs on the thread that asks.
    """

    def __init__(self, path: Path, *, sha256: str | None = None) -> None:
        data, facts = read_checked(path, sha256)
        self.path, self.facts = path, facts
        self.sha256 = hashlib.sha256(data).hexdigest()
        """Of the file as it was read; what lies there by now may be another net."""
        self.game = facts.get("game", "")
        if self.game not in GAMES:
            raise PurlieuError("nets.names_no_game", "{name} does not say which game it is for", name=path.name)
        self.shape = Shape.of(self.game, GAMES[self.game].sizes[0])
        if facts.get("rules_version") != str(GAMES[self.game].rules_version):
            raise PurlieuError(
                "nets.other_rules",
                "{name} learned other rules of {title} than this purlieu plays",
                name=path.name,
                title=GAMES[self.game].title,
            )
        if facts.get("planes") != self.shape.fingerprint:
            raise PurlieuError(
                "nets.other_version",
                "{name} was made for another version of purlieu: it sees {game} differently",
                name=path.name,
                game=self.game,
            )
        self.sizes = _learned(path, self.game, facts)
        """The sides of the boards on which it learned; on others its maps and chances are guesses."""
        self._session = _session(path, data)
        self._require_answers()

    def ask(self, planes: NDArray[np.float32]) -> tuple[NDArray[np.float32], float, float]:
        """Logits by output, win chance and margin: what `Search` asks of a net."""
        policy, value, score = self._session.run(OUTPUTS[:3], {"planes": planes})
        # Plain numbers: for three of them NumPy takes longer, and a search asks a thousand times a second.
        logits = value[0].tolist()
        most = max(logits)
        win, loss, draw = (math.exp(logit - most) for logit in logits)
        cells = planes.shape[2] * planes.shape[3]
        return policy.reshape(-1), (win + draw / 2) / (win + loss + draw), score.item(0) * cells

    def judge(self, position: CorePosition) -> Judgement:
        """What the net thinks of a position, before any search. It is one of the core, of this game, and not over."""
        import numpy as np

        self._require_judged(position)
        planes = position.planes()[None].astype(np.float32)
        policy, value, score, own = found = self._session.run(OUTPUTS, {"planes": planes})
        if not _all_finite(found):
            raise PurlieuError(no_numbers(self.path, position.text()))
        side = planes.shape[-1]
        moves = position.policy_moves()
        logits = policy.reshape(-1)[[index for index, _ in moves]] if moves else np.zeros(0, np.float32)
        shares = _softmax(logits, 0) if moves else logits
        chances = _softmax(value[0], 0)
        maps = _softmax(own[0].reshape(self.shape.maps, 3, side, side), 1)
        return Judgement(
            win_chance=float(chances[0] + chances[2] / 2),
            margin=float(score[0, 0]) * side * side,
            deviation=float(np.exp(score[0, 1])) * side * side,
            policy={move: float(share) for (_, move), share in zip(moves, shares, strict=True)},
            owners=_owners(position, maps[:, 1] - maps[:, 2]),
        )

    def _require_judged(self, position: CorePosition) -> None:
        if not isinstance(position, core().Position):
            raise PurlieuError(
                "nets.no_core_position",
                "a net judges positions of the core, not {name}; core().Position.parse(position.text()), "
                "of purlieu.core, makes one",
                name=type(position).__name__,
            )
        if position.game != self.game:
            raise PurlieuError(
                "nets.other_game",
                "{name} is a net of {game}, and the position is one of {other}",
                name=self.path.name,
                game=self.game,
                other=position.game,
            )
        if position.is_over:
            raise PurlieuError("nets.game_over", "the game is over, so there is nothing to judge")

    def _require_answers(self) -> None:
        """Run it once on two sizes: what comes out must fit the game, and be numbers."""
        import numpy as np

        sizes = GAMES[self.game].sizes
        for side in {sizes[0], min(sizes[-1], sizes[0] + 1)}:
            planes = np.zeros((1, self.shape.inputs, side, side), np.float32)
            try:
                found = self._session.run(OUTPUTS, {"planes": planes})
            except Exception as error:  # onnxruntime raises classes of its own
                raise PurlieuError(
                    "nets.other_planes",
                    "{name} is no net of ours: it does not take this game's planes",
                    name=self.path.name,
                ) from error
            plane = (side, side)
            wanted = [(1, self.shape.policy, *plane), (1, 3), (1, 2), (1, 3 * self.shape.maps, *plane)]
            if [output.shape for output in found] != wanted:
                raise PurlieuError(
                    "nets.outputs_do_not_fit",
                    "{name} is no net of ours: its outputs do not fit {game}",
                    name=self.path.name,
                    game=self.game,
                )
            if not _all_finite(found):
                raise PurlieuError(no_numbers(self.path, Message("nets.an_empty_board", "an empty board")))


class _Loader:
    """Opens nets, and remembers the last ones while their files stay as they are: a net may be trained on meanwhile."""

    def __init__(self, most: int) -> None:
        self._opened = functools.lru_cache(most)(lambda path, _: opened(path))
        self.cache_clear, self.cache_info = self._opened.cache_clear, self._opened.cache_info

    def __call__(self, path: Path | str) -> Net:
        """The net in a file as it is now; raises PurlieuError if it is none, or if what runs nets cannot be had."""
        path = Path(path)
        try:
            now = path.stat()
        except OSError:
            return opened(path)  # which says what is wrong
        return self._opened(path, (now.st_ino, now.st_mtime_ns, now.st_size))


load = _Loader(4)


def opened(path: Path, *, sha256: str | None = None) -> Net:
    """What `load` does, without its memory, and with a hash that the file must have."""
    try:
        return Net(path, sha256=sha256)
    except ModuleNotFoundError as error:
        raise PurlieuError(
            "nets.packages_missing", "nets need {name}: pip install 'purlieu[net]'", name=error.name
        ) from error
    except (ImportError, OSError) as error:  # a package that is there, but not for this machine, or in part
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise PurlieuError(
            "nets.packages_broken",
            "what runs nets cannot be loaded ({reason}); pip install --force-reinstall onnx onnxruntime may mend it",
            reason=reason,
        ) from error


def no_numbers(path: Path, what: str) -> Message:
    """What is said of a net whose answers are infinite, or not numbers at all."""
    return Message(
        "nets.no_numbers",
        "the net {name} cannot be played with: its answer to {what} has something else than finite numbers",
        name=path.name,
        what=what,
    )


def _learned(path: Path, game: str, facts: dict[str, str]) -> frozenset[int]:
    try:
        sizes = json.loads(facts["sizes"])
    except (KeyError, ValueError, RecursionError):
        sizes = None
    if not isinstance(sizes, list) or not sizes or any(type(size) is not int for size in sizes):
        raise PurlieuError("nets.names_no_sizes", "{name} does not say on which sizes it learned", name=path.name)
    try:
        for size in sizes:
            GAMES[game].start(size)
    except PurlieuError as error:
        raise PurlieuError(
            "nets.impossible_sizes",
            "{name} says that it learned on a board that there is not: {error}",
            name=path.name,
            error=error,
        ) from None
    return frozenset(sizes)


def _all_finite(found: list[NDArray[np.float32]]) -> bool:
    import numpy as np

    return all(np.isfinite(output).all() for output in found)


def _owners(position: CorePosition, leads: NDArray[np.float32]) -> dict[str, float]:
    """The cells of the maps by name."""
    owners = {}
    # Of Pentwall's maps the second says who painted what, which the board shows.
    for level in range(2 if position.game == "pyloff" else 1):
        for row in range(position.size - level):
            for column in range(position.size - level):
                name = f"{level + 1 if level else ''}{chr(ord('a') + column)}{row + 1}"
                owners[name] = round(float(leads[level, row, column]), 3)
    return owners


def _softmax(logits: NDArray[np.float32], axis: int) -> NDArray[np.float32]:
    import numpy as np

    raised = np.exp(logits - logits.max(axis, keepdims=True))
    return np.asarray(raised / raised.sum(axis, keepdims=True), np.float32)


def _session(path: Path, data: bytes) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime raises classes of its own
        raise PurlieuError("nets.cannot_be_run", "{name} is no net that onnxruntime can run", name=path.name) from error
