"""``purlieu arena``: play a match, show how it goes, and leave its results in files."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import closing, nullcontext
from io import StringIO
from pathlib import Path

from purlieu.engine.thinker import Limit, Line, Thinker
from purlieu.kit.files import write_whole
from purlieu.kit.progress import counting
from purlieu.rules import PurlieuError, start
from purlieu.rules.registry import game as find_game

from .games import Rules
from .match import Match, pair_points, play_match
from .openings import PLIES
from .players import PlayerSpec, parse_player
from .plot import svg
from .report import as_json, elo_text, records, table
from .stats import Pairs, Sprt, estimate
from .store import GameLine, Store
from .summary import Summary, summarise

DONE, INTERRUPTED = 0, 130
DEFAULT_OUT = Path("arena.jsonl")
BESIDE = (".json", ".svg", ".pur")
"""What is left beside the results."""
MOST_SECONDS = 1_000_000


def run(
    players: Sequence[str],
    *,
    game: str = "petrify",
    size: int | None = None,
    pairs: int = 100,
    plies: int | None = None,
    seed: int = 1,
    workers: int | None = None,
    sprt: tuple[float, float] | None = None,
    margin: float = 0.2,
    patience: float = 120.0,
    agree: float | None = None,
    hurry: float | None = None,
    out: Path = DEFAULT_OUT,
    resume: bool = False,
    quiet: bool = False,
) -> int:
    """Play a match between players as `players.parse_player` reads them; the command's exit code.

    Beside the results file `out` (.jsonl) are left the games (.pur), the summary (.json) and a plot (.svg).
    After Ctrl-C they hold what was played so far, and `resume` goes on from there. Files with these names that are
    there before the match are somebody's, and it does not begin.
    """
    match = make_match(players, game, size, pairs, plies, seed, sprt, margin, patience, agree, hurry)
    if out.suffix != ".jsonl":
        raise PurlieuError(
            "arena.results_in_jsonl", "results are kept in a .jsonl file, and {name} is none", name=out.name
        )
    require_free(out)
    for spec in match.players:
        check_player(spec, match.rules)
    code = DONE
    with closing(Store(out, match.identity, resume=resume)) as store:
        try:
            _play(match, store, workers, quiet=quiet)
        except KeyboardInterrupt:
            code = INTERRUPTED
        finally:
            summary = summarise(match, store.games)
            write_files(summary, store)
    if not quiet:
        from rich.console import Console

        console = Console()
        for part in table(summary):
            console.print(part)
        if code == INTERRUPTED:
            console.print(f"interrupted; go on with --resume and the same file, {out}", highlight=False, markup=False)
    return code


def make_match(
    players: Sequence[str],
    game: str,
    size: int | None,
    pairs: int,
    plies: int | None,
    seed: int,
    sprt: tuple[float, float] | None,
    margin: float,
    patience: float,
    agree: float | None = None,
    hurry: float | None = None,
) -> Match:
    """The match that the options describe; raises PurlieuError where they make no sense."""
    found = find_game(game)
    side = found.start(size).size
    if not (0 <= margin <= MOST_SECONDS and 0 < patience <= MOST_SECONDS):
        raise PurlieuError(
            "arena.bad_margin",
            "the margin and the patience are seconds, not negative and at most {most_seconds}",
            most_seconds=f"{MOST_SECONDS:,}",
        )
    if agree is not None and not 0.5 < agree <= 1:
        raise PurlieuError(
            "arena.bad_agreement",
            "players agree on a chance above 0.5, at most 1, such as 0.97; {agree} is none",
            agree=f"{agree:g}",
        )
    if hurry is not None and not 0.5 < hurry <= 1:
        raise PurlieuError(
            "arena.bad_hurry",
            "a player is sure with a chance above 0.5, at most 1, such as 0.95; {hurry} is none",
            hurry=f"{hurry:g}",
        )
    if plies is not None and not 0 <= plies <= 100:
        raise PurlieuError("arena.bad_opening_length", "an opening has 0 to 100 turns")
    specs = tuple(map(parse_player, players))
    for spec in specs:
        if hurry is not None and spec.control.seconds is None and spec.control.simulations is None:
            raise PurlieuError(
                "arena.cannot_hurry",
                "{spec} cannot hurry; that takes seconds or simulations a move, such as full:1s",
                spec=spec,
            )
    return Match(
        Rules(found.name, side, margin, patience, agree=agree, hurry=hurry),
        specs,
        pairs,
        PLIES[found.name] if plies is None else plies,
        seed,
        Sprt(*sprt) if sprt else None,
    )


def check_player(spec: PlayerSpec, rules: Rules) -> None:
    """Whether a player can be had at all, before a match rests on it. Raises PurlieuError if not."""
    player = spec.make()
    try:
        player.new_game(rules.game, rules.size, 1)
        if spec.kind == "search":
            Thinker(spec.settings).think(Line(start(rules.game, rules.size).text()), Limit(simulations=1))
    finally:
        player.close()


def require_free(out: Path) -> None:
    """Refuses to begin a match beside files that it would write over. One that goes on has written them itself."""
    if out.exists() and out.stat().st_size:
        return
    for path in map(out.with_suffix, BESIDE):
        if os.path.lexists(path):
            raise PurlieuError(
                "arena.log_would_be_overwritten",
                "{path} exists already, and a match in {name} would write over it; move it away, or give the "
                "match another name",
                path=path,
                name=out.name,
            )


def write_files(summary: Summary, store: Store) -> None:
    """The summary, the plot and the records beside the results file. Each replaces the one before when it is whole."""
    from purlieu.records import write_records

    games = StringIO()
    write_records(records(summary, [store.games[key] for key in sorted(store.games)]), games)
    texts = json.dumps(as_json(summary), indent=2) + "\n", svg(summary), games.getvalue()
    for ending, text in zip(BESIDE, texts, strict=True):
        write_whole(store.path.with_suffix(ending), text.encode())


def _play(match: Match, store: Store, workers: int | None, *, quiet: bool) -> None:
    total = sum(1 for _ in match.every_key())
    points = match.points(store.games, 0, 1)
    with nullcontext() if quiet else counting(total, len(store.games), "games") as tell:

        def on_game(line: GameLine) -> None:
            key = line.key
            if (pair := pair_points(store.games, key.pair, key.one, key.other)) is not None:
                points.append(pair)
            if tell:
                tell(len(store.games), _standing(match, points))

        play_match(match, store, workers=workers, on_game=on_game)


def _standing(match: Match, points: Sequence[float]) -> str:
    """How the match stands, in a few words."""
    if len(match.players) > 2:
        return f"{len(match.players)} players"
    found = estimate(Pairs.of(points))
    return f"{100 * found.score:.1f} %" + (f", Elo {elo_text(found)}" if found.elo is not None else "")
