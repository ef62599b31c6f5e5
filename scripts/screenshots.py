"""Pictures of every page, light and dark, on a phone and on a desktop, for people to look at.

They land in build/screenshots; the few that the README shows, also in docs/screenshots. `screenshots.py NAME…` takes
only the pictures whose names begin so.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
ALL = ROOT / "build/screenshots"
SHOWN = ROOT / "docs/screenshots"
README = {
    "home-desktop-light",
    "pyloff-desktop-dark",
    "petrify-phone-light",
    "pentwall-phone-dark",
    "why-phone-light",
}
SCREENS = {"phone": (360, 740), "desktop": (1280, 800)}


@dataclass(frozen=True)
class Picture:
    """A page, and what to do there before the picture is taken."""

    name: str
    path: str
    act: Callable[[Page], None] = lambda page: None


def samples() -> dict[str, tuple[int, list[str]]]:
    """The games of the home page's living boards: name, then size and moves."""
    found = {path.parent.name: json.loads(path.read_text()) for path in (ROOT / "web/src/games").glob("*/sample.json")}
    return {name: (sample["size"], sample["moves"].split()) for name, sample in sorted(found.items())}


def pictures() -> Iterator[Picture]:
    """Every page worth a look."""
    yield Picture("home", "/")
    yield Picture("new", "/", lambda page: page.get_by_test_id("choose-petrify").click())
    yield Picture("learn", "/learn/petrify", learn)
    yield Picture("rules", "/rules/petrify")
    for name, (size, moves) in samples().items():
        shown = 8 if name == "pentwall" else len(moves) * 2 // 3
        line = ".".join(moves[:shown]) + "*." + ".".join(moves[shown:])
        yield Picture(f"review-{name}", f"/review#g={name}&s={size}&m={line}")
        yield Picture(f"map-{name}", f"/review#g={name}&s={size}&m={line}", expect)
        yield Picture(name, "/", lambda page, name=name, size=size, moves=moves[:shown]: begin(page, name, size, moves))  # type: ignore[misc]
    yield Picture("remarks", "/review", remarks)
    yield Picture("why", "/", why)
    size, moves = samples()["petrify"]
    yield Picture("count", "/", lambda page: count(page, size, moves))


def begin(page: Page, game: str, size: int, moves: list[str]) -> None:
    """A game against the computer, some moves in, with our turn."""
    made = page.evaluate(
        """async ([game, size, moves]) => {
            const seats = moves.length % 2 ? ['computer', 'me'] : ['me', 'computer'];
            const seat = kind => (kind === 'me' ? { kind } : { kind, level: 4 });
            const body = { game, size, moves, seats: { first: seat(seats[0]), second: seat(seats[1]) }, clock: null };
            const answer = await fetch('/api/games', {
                method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
            return await answer.json();
        }""",
        [game, size, moves],
    )
    page.goto(f"/g/{made['id']}")
    page.get_by_test_id("table").wait_for()
    page.wait_for_load_state("networkidle")


def expect(page: Page) -> None:
    """Who should own what, and the likeliest moves."""
    for key in ("o", "m"):
        page.keyboard.press(key)
    page.locator("svg.board .disc").first.wait_for()


def remarks(page: Page) -> None:
    """A record with what was written about it."""
    page.get_by_label("Paste a record").fill(
        '[Game "Petrify"]\n[Size "6"]\n[First "Ana"]\n[Second "Ben"]\n\n{Played in the garden.} '
        "1. c3! d4 {Close by, so that neither can be taken for free.} (1... swap?! {too early}) 2. c3xd4 e2 *"
    )
    page.get_by_role("button", name="Open").click()
    page.get_by_test_id("remark").wait_for()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    page.get_by_text("Close by").last.wait_for()


def learn(page: Page) -> None:
    """The step where a mound is refused."""
    for square in ("c3", "c3xe3", "c3xe5"):
        page.locator("[data-ready=true]").wait_for()
        play(page, square, 5)
        page.get_by_test_id("next").click()
    page.get_by_text("edge counts as stone").wait_for()
    page.locator("[data-ready=true]").wait_for()
    play(page, "c1xc4", 4)
    page.get_by_test_id("then").wait_for()


def why(page: Page) -> None:
    """A capture that would complete a mound."""
    begin(page, "petrify", 6, ["c1", "c4", "b1", "b4", "a4", "b2", "b1xb2", "d4"])
    play(page, "c1xc4", 6)
    page.locator(".note.why").wait_for()


def count(page: Page, size: int, moves: list[str]) -> None:
    """A step of the count at the end."""
    begin(page, "petrify", size, moves)
    page.get_by_test_id("count-it").click()
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_role("button", name="Next", exact=True).click()


def play(page: Page, move: str, size: int) -> None:
    """Click the squares of a move; a placement on a phone needs its second tap."""
    board = page.locator("svg.board.interactive")
    for square in move.split("x"):
        x, y = (ord(square[0]) - 96.5) * 100, (size - int(square[1:]) + 0.5) * 100
        spot = board.evaluate(
            """(svg, [x, y]) => {
                const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
                return [at.x, at.y];
            }""",
            [x, y],
        )
        page.mouse.click(*spot)


def take(browser: Browser, url: str, screen: str, theme: str, wanted: tuple[str, ...]) -> None:
    """The wanted pictures for one screen and theme."""
    width, height = SCREENS[screen]
    for picture in pictures():
        name = f"{picture.name}-{screen}-{theme}"
        if not name.startswith(wanted):
            continue
        context = browser.new_context(
            base_url=url,
            viewport={"width": width, "height": height},
            color_scheme="dark" if theme == "dark" else "light",
            device_scale_factor=1.5 if screen == "phone" else 1,
            reduced_motion="reduce",
        )
        page = context.new_page()
        page.goto(picture.path)
        page.wait_for_load_state("networkidle")
        picture.act(page)
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(300)  # the computer looks at the position a moment later
        page.wait_for_load_state("networkidle")
        page.screenshot(path=ALL / f"{name}.png", animations="disabled")
        if name in README:
            shutil.copyfile(ALL / f"{name}.png", SHOWN / f"{name}.png")
        print(name)
        context.close()


@contextmanager
def server() -> Iterator[str]:
    """A server of our own, with nothing in it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "purlieu", "serve", "--port", str(port), "--database", f"{folder}/games.db"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            url = f"http://127.0.0.1:{port}"
            for _ in range(200):
                try:
                    urlopen(f"{url}/healthz").close()
                    break
                except URLError:
                    time.sleep(0.1)
            yield url
        finally:
            process.terminate()
            process.wait()


def main() -> None:
    """Take them all."""
    ALL.mkdir(parents=True, exist_ok=True)
    SHOWN.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("chromium is not there; `make browser` installs it")
    with server() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        for screen in SCREENS:
            for theme in ("light", "dark"):
                take(browser, url, screen, theme, tuple(sys.argv[1:]) or ("",))


if __name__ == "__main__":
    main()
