"""What the page costs a visitor: its weight, the time to the first board, and frames while a pentomino is dragged.

`python -m benchmarks.speed.page [ROUNDS]` starts a server of its own and Debian's chromium, without a graphics card: it
draws in software, so the frames here are the worst case. Results are in `results/page.md`.
"""

from __future__ import annotations

import math
import multiprocessing
import shutil
import socket
import statistics
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.error import URLError

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.common import machine
from purlieu.server.http.run import Server, config_of
from purlieu.server.settings import Settings

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
GAME = ["Fh3g4h4i4g5", "Ib5b6b7b8b9", "Zd8e8e9e10f10", "Lc7c8c9c10d10"]
PLACES: dict[str, str | tuple[str, list[str]]] = {
    "home, the first living board with its pieces": "/",
    "a game of Petrify, 8 × 8": ("petrify", ["d4", "e5"]),
    "a game of Pyloff, 6 × 6": ("pyloff", ["c3", "d4"]),
    "a position by link": "/review#g=petrify&s=6&m=c3.d4.c3xd4*",
}
PAINTED = """() => {
    const look = () => document.querySelector('svg.board use')
        ? requestAnimationFrame(() => setTimeout(() => (window.boardAt = performance.now())))
        : requestAnimationFrame(look);
    look();
}"""
FRAMES = """() => {
    window.frames_ = [];
    let before = performance.now();
    const tick = now => { window.frames_.push(now - before); before = now; requestAnimationFrame(tick); };
    requestAnimationFrame(tick);
}"""


def serve(folder: str, port: int) -> None:
    """A server with nothing in it."""
    Server(config_of(Settings(database=f"{folder}/games.db", port=port, workers=1))).run()


@contextmanager
def running() -> Iterator[str]:
    """The server's address, while it runs in a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        process = multiprocessing.get_context("spawn").Process(target=serve, args=(folder, port))
        process.start()
        try:
            while True:
                try:
                    urllib.request.urlopen(f"{url}/healthz").close()
                    break
                except URLError:
                    time.sleep(0.1)
            yield url
        finally:
            process.terminate()
            process.join()


def make(page: Page, game: str, moves: list[str]) -> str:
    """The path of a new game of one who plays both sides."""
    both = {"first": {"kind": "me"}, "second": {"kind": "me"}}
    answer = page.request.post("/api/games", data={"game": game, "moves": moves, "seats": both})
    return f"/g/{answer.json()['id']}"


def weigh(browser: Browser, url: str) -> dict[str, int]:
    """Compressed bytes that a first visit fetches, by kind, until the home page stands."""
    context = browser.new_context(base_url=url, viewport=DESK)  # type: ignore[arg-type]
    page = context.new_page()
    kinds: dict[str, str] = {}
    bytes_of: dict[str, int] = {}
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.on("Network.responseReceived", lambda told: kinds.update({told["requestId"]: told["response"]["url"]}))

    def done(told: dict[str, object]) -> None:
        path = kinds.get(str(told["requestId"]), "")[len(url) :]
        kind = "answers of the server" if path.startswith("/api") else "page, script and style"
        bytes_of[kind] = bytes_of.get(kind, 0) + int(str(told["encodedDataLength"]).split(".")[0])

    wire.on("Network.loadingFinished", done)
    page.goto("/")
    page.wait_for_load_state("networkidle")
    context.close()
    return bytes_of


def first_board(browser: Browser, url: str, path: str, phone: bool) -> float:
    """Milliseconds from the start of the navigation to a painted board, with an empty cache."""
    context = browser.new_context(base_url=url, viewport=PHONE if phone else DESK)  # type: ignore[arg-type]
    page = context.new_page()
    page.add_init_script(f"({PAINTED})()")
    if phone:
        wire = context.new_cdp_session(page)
        wire.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        line = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000}
        wire.send("Network.emulateNetworkConditions", line)
    page.goto(path)
    page.wait_for_function("() => window.boardAt")
    taken = float(page.evaluate("window.boardAt"))
    context.close()
    return taken


def drag(browser: Browser, url: str, seconds: float = 4) -> tuple[list[float], float]:
    """Milliseconds between frames while a pentomino follows the mouse, and of work on the page's thread for each."""
    context = browser.new_context(base_url=url, viewport=DESK)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(make(page, "pentwall", GAME))
    page.get_by_role("button", name="Take W").click()
    box = page.locator("svg.board.interactive").bounding_box()
    assert box
    wire = context.new_cdp_session(page)
    wire.send("Performance.enable")

    def worked() -> float:
        metrics = wire.send("Performance.getMetrics")["metrics"]
        return 1000 * next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")

    page.wait_for_load_state("networkidle")
    page.evaluate(FRAMES)
    before, begun = worked(), time.monotonic()
    while (at := time.monotonic() - begun) < seconds:
        across, down = math.sin(2.1 * at), math.sin(3.4 * at + 1)
        page.mouse.move(box["x"] + box["width"] * (0.52 + 0.4 * across), box["y"] + box["height"] * (0.48 + 0.4 * down))
    work = worked() - before
    frames = [float(one) for one in page.evaluate("window.frames_")][1:]
    context.close()
    return frames, work / len(frames)


def main(rounds: int) -> None:
    """Measure, and print the lines of page.md."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("chromium is not there; `make browser` installs it")
    with running() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        print(f"{machine()}, Chromium {browser.version}\n")
        weighed = weigh(browser, url)
        for kind, size in sorted(weighed.items()):
            print(f"{kind}: {size / 1000:.1f} kB compressed")
        print(f"\n| time to the first board, median of {rounds} | this machine | a slow phone |\n| --- | --- | --- |")
        maker = browser.new_page(base_url=url)
        for name, place in PLACES.items():
            path = place if isinstance(place, str) else make(maker, *place)
            taken = [
                statistics.median(first_board(browser, url, path, phone) for _ in range(rounds))
                for phone in (False, True)
            ]
            print(f"| {name} | {taken[0]:.0f} ms | {taken[1]:.0f} ms |")
        frames, work = drag(browser, url)
        frames.sort()
        print(f"\ndragging a pentomino: {1000 * len(frames) / sum(frames):.1f} frames a second, ", end="")
        print(
            f"median {statistics.median(frames):.1f} ms, 95 % within {frames[int(0.95 * len(frames))]:.1f} ms, ", end=""
        )
        print(f"{work:.1f} ms of work on the page's thread for each")
        browser.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
