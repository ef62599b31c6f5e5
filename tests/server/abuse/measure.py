"""Players measured without an attacker and with one, in turn, each pair of windows on a server of its own."""

from __future__ import annotations

import json
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from . import attacks, victims
from .attacks import ATTACKS, PREFIX, Attack
from .served import Served, cpu_seconds, fresh_database
from .victims import Measurer

Row = dict[str, Any]
"""What one window showed."""

CONTROL = "burn"
WARM_UP_SECONDS = 2.0
STALL_MS = 50.0
RATIO = 1.3
LOG_KB = 1000.0
SILENT_FILES = 1024
RESAMPLED = 2000
ASKED = ("look", "state", "page", "neighbour", "analysis", "computer")
"""What people do besides moving; the names of their times in a row."""


class Stage:
    """A server, its players and a heartbeat."""

    def __init__(self, folder: Path, plan: Attack) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.plan = folder, plan
        self.served = Served(folder, fresh_database(folder, cold=plan.cold), files=plan.files)
        self.measurers: list[Measurer] = []
        try:
            options = {"computer": plan.computer, "neighbour": attacks.address() if plan.neighbour else None}
            self.measurers.append(Measurer(victims.play, self.served.port, options))
            self.measurers.append(Measurer(victims.beat, self.served.port))
            for measurer in self.measurers:
                measurer.hear()
            time.sleep(WARM_UP_SECONDS)
        except BaseException:
            self.stop()
            raise

    def window(self, name: str | None, seconds: float, *, share: float = 0.1, hold: bool = False) -> Row:
        """What the players see for so long, beside that attack if one is named."""
        attacker = Measurer(attacks.attack, name, self.served.port, str(self.folder.parent), share) if name else None
        everybody = [*self.measurers, *([attacker] if attacker else [])]
        try:
            if attacker:
                attacker.hear()
            logged, used, own = self.served.logged, self.used(), cpu_seconds(attacker.pid if attacker else 0)
            for measurer in everybody:
                measurer.say("begin")
            time.sleep(seconds)
            row: Row = {"seconds": seconds, **self.measurers[0].ended(), "beat": self.measurers[1].ended()}
            row["server_cpu_s"] = round(self.used() - used, 2)
            row["log_kb"] = round((self.served.logged - logged) / 1000, 1)
            row["tracebacks"] = self.served.tracebacks(logged)
            row["memory_mb"] = round(self.served.memory_mb, 1)
            if attacker:
                row["attacker_cpu_s"] = round(cpu_seconds(attacker.pid) - own, 2)
                if hold and self.plan.gone_within:
                    attacker.say("hold")
                    row["gone_s"] = self.gone(self.plan.gone_within + 5)
                row["attack"] = attacker.ended()
            stalls = {name: value for name, value in self.served.metrics().items() if "stall" in name}
            return row | ({"metrics": stalls} if stalls else {})
        finally:
            if attacker:
                attacker.stop()

    def used(self) -> float:
        """The processor time of the server's process."""
        return cpu_seconds(self.served.process.pid)

    def gone(self, seconds: float) -> float | None:
        """How soon the system holds no more of the attacker's connections than the server counts; None is never."""
        begun = time.monotonic()
        players = 2 * victims.ADDRESSES * len(victims.KINDS)
        while time.monotonic() - begun < seconds:
            counted = self.served.metrics().get("purlieu_sockets", players) - players
            if self.served.connections(PREFIX) <= max(0, counted):
                return round(time.monotonic() - begun, 1)
            time.sleep(0.5)
        return None

    def stop(self) -> None:
        """End everything that was started here."""
        for measurer in self.measurers:
            measurer.stop()
        self.served.stop()


@contextmanager
def staged(folder: Path, plan: Attack) -> Iterator[Stage]:
    """A stage for the length of a block."""
    stage = Stage(folder, plan)
    try:
        yield stage
    finally:
        stage.stop()


def measure(
    folder: Path, names: Sequence[str], seconds: float, rounds: int, out: Path, say: Callable[[str], None]
) -> list[Row]:
    """Every window that `out` does not hold yet, round after round; all rows."""
    rows = [row for row in read_rows(out) if row["seconds"] == seconds and row["name"] in names]
    done = {(row["name"], row["round"], row["side"]) for row in rows}
    number, last = 0, rounds - 1
    for at in range(rounds):
        for name in names:
            number += 1
            sides = [side for side in "AB" if (name, at, side) not in done]
            if not sides:
                continue
            with staged(folder / name, ATTACKS[name]) as stage:
                for side in sides:
                    attacker = name if side == "B" else None
                    seen = stage.window(attacker, seconds, share=share_of(rows), hold=at == last)
                    row = {"name": name, "round": at, "side": side, **seen}
                    with out.open("a") as file:
                        file.write(json.dumps(row) + "\n")
                    rows.append(row)
                    say(f"[{number}/{len(names) * rounds}] {side} {name:15} {short(row)}")
    return rows


def read_rows(out: Path) -> list[Row]:
    """The rows of a file; a last line that was cut off is left out."""
    lines = out.read_text().splitlines() if out.is_file() else []
    return [json.loads(line) for line in lines if line.endswith("}")]


def share_of(rows: Sequence[Row]) -> float:
    """The part of a processor that the greediest attacker took, which the control burns too."""
    taken = [row["attacker_cpu_s"] / row["seconds"] for row in rows if row["side"] == "B" and row["name"] != CONTROL]
    return min(0.9, max(taken, default=0.1))


def short(row: Row) -> str:
    """A window in a line."""
    ack, beat = row.get("ack", victims.told([])), row["beat"]
    return (
        f"ack {ack['p50_ms']:.1f}, 99 % {ack['p99_ms']:.1f} ms ({ack['n']})   stall {beat['longest_ms']:.1f} ms   "
        f"{row['memory_mb']:.0f} MB   {row['failed'] or ''} {row.get('attack', '')}"
    )


# -- what it comes to -------------------------------------------------------------------------------


def ratio(pairs: Sequence[tuple[float, float]], seed: int = 1) -> tuple[float, float, float]:
    """Median with the attacker over median without, and the ends of its 95 % interval, by drawing rounds again."""
    chance = random.Random(seed)

    def one(drawn: Sequence[tuple[float, float]]) -> float:
        without, beside = (statistics.median(column) for column in zip(*drawn, strict=True))
        return float(beside / max(0.01, without))

    many = sorted(one(chance.choices(pairs, k=len(pairs))) for _ in range(RESAMPLED))
    return one(pairs), many[round(0.025 * RESAMPLED)], many[round(0.975 * RESAMPLED) - 1]


def verdict(name: str, rows: Sequence[Row]) -> dict[str, Any]:
    """What the windows of one attack come to, and which goals they miss."""
    sides: dict[str, dict[int, Row]] = defaultdict(dict)
    for row in rows:
        sides[row["side"]][row["round"]] = row
    both = sorted(sides["A"].keys() & sides["B"].keys())
    without, beside = ([sides[side][at] for at in both] for side in "AB")
    pairs = [(a["ack"]["p99_ms"], b["ack"]["p99_ms"]) for a, b in zip(without, beside, strict=True)]
    middle, low, high = ratio(pairs)
    stalls = [max(row["beat"]["longest_ms"] for row in side) for side in (without, beside)]
    found: dict[str, Any] = {
        "name": name,
        "rounds": len(both),
        "p99": [statistics.median(column) for column in zip(*pairs, strict=True)],
        "ratio": (middle, low, high),
        "stall": stalls,
        "cpu": statistics.median(row["attacker_cpu_s"] / row["seconds"] for row in beside),
        "memory": max(row["memory_mb"] for row in beside),
        "asked": {},
    }
    misses = []
    if middle > RATIO:
        misses.append(f"acks {middle:.1f} ×")
    if stalls[1] - stalls[0] > STALL_MS:
        misses.append(f"stall {stalls[1] - stalls[0]:.0f} ms above idle")
    for kind in ASKED:
        if not (seen := [row[kind] for row in beside if kind in row]):
            continue
        asked = sum(one["n"] for one in seen)
        failed = sum(count for row in beside for what, count in row["failed"].items() if what.startswith(f"{kind} "))
        found["asked"][kind] = (failed, asked, max(one["longest_ms"] for one in seen))
        if failed:
            misses.append(f"{kind} failed {failed} of {asked}")
    if lost := sum(count for row in beside for what, count in row["failed"].items() if what.startswith("player ")):
        misses.append(f"players lost {lost} times")
    if traced := sum(row["tracebacks"] for row in beside):
        misses.append(f"{traced} tracebacks")
    if (logged := max(row["log_kb"] for row in beside)) > LOG_KB:
        misses.append(f"{logged:.0f} kB of log")
    within = ATTACKS[name].gone_within
    for gone in [row["gone_s"] for row in beside if "gone_s" in row]:
        if gone is None or (within and gone > within):
            misses.append("connections stay" if gone is None else f"connections gone after {gone:.0f} s")
    return found | {"misses": misses}


def table(rows: Sequence[Row]) -> str:
    """All attacks that have a window of each kind."""
    lines = [
        "in ms; ack: 99th percentile, median of the rounds; stall: longest /healthz; looks: failed, longest",
        f"{'attack':15} {'ack A':>8} {'ack B':>8} {'B/A (95 %)':>22} {'stall A':>8} {'stall B':>8} {'looks':>14} "
        f"{'CPU':>5} {'MB':>5}  goals",
    ]
    for name in ATTACKS:
        mine = [row for row in rows if row["name"] == name]
        if len({row["side"] for row in mine}) < 2:
            continue
        found = verdict(name, mine)
        middle, low, high = found["ratio"]
        failed, asked, longest = found["asked"].get("look", (0, 0, 0.0))
        lines.append(
            f"{name:15} {found['p99'][0]:8.1f} {found['p99'][1]:8.1f} "
            f"{f'{middle:.2f} ({low:.2f}–{high:.2f})':>22} {found['stall'][0]:8.1f} {found['stall'][1]:8.1f} "
            f"{f'{failed}/{asked} {longest:.0f}':>14} {100 * found['cpu']:4.0f}% {found['memory']:5.0f}  "
            f"{'; '.join(found['misses']) or 'hold'}"
        )
        others = {kind: seen for kind, seen in found["asked"].items() if kind != "look"}
        told = [f"{kind} {failed}/{asked} {longest:.0f} ms" for kind, (failed, asked, longest) in others.items()]
        lines.append(f"{'':15} failed, asked, longest wait: {', '.join(told)}")
    return "\n".join(lines)
