"""Somebody with a real browser at our page: looks, points, taps, types, and writes down every error."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Sequence
from random import Random
from typing import Any, Literal, cast

from playwright.sync_api import Browser, ConsoleMessage, Locator

How = Literal["mouse", "touch", "keys", "typed"]
DESK = (1280, 800)
PHONE = (360, 740)
CELL = 100


class Visitor:
    """One browser with its own cookie and storage."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        *,
        screen: tuple[int, int] = DESK,
        dark: bool = False,
        wishes: dict[str, Any] | None = None,
    ) -> None:
        self.url = url
        self.context = browser.new_context(
            base_url=url,
            viewport={"width": screen[0], "height": screen[1]},
            has_touch=screen == PHONE,
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )
        self.context.set_default_timeout(15_000)
        if wishes:
            kept = json.dumps({"sound": False, "wishes": wishes})
            self.context.add_init_script(
                f"localStorage.getItem('purlieu.prefs') ?? localStorage.setItem('purlieu.prefs', {json.dumps(kept)})"
            )
        self.page = self.context.new_page()
        self.problems: list[str] = []
        """Console errors, exceptions and broken promises of the page, CSP's among them."""
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self._placements: list[str] = []

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(message.text)

    def leave(self) -> None:
        """Close the browser."""
        self.context.close()

    # -- going places -------------------------------------------------------------------------

    def go(self, path: str) -> None:
        """Open a page and wait until it has all it asked for."""
        self.page.goto(path)
        self.page.wait_for_load_state("networkidle")

    def begin(self, game: str) -> None:
        """From the home page to a game: two clicks."""
        self.page.goto("/")
        self.see(f"choose-{game}").click()
        self.see("play").click()
        self.wait_for_board()

    def make(self, game: str, size: int, moves: Sequence[str], seats: object = None) -> None:
        """A game some moves in; of one who plays both sides, if nothing else is said."""
        both = {"first": {"kind": "me"}, "second": {"kind": "me"}}
        body = {"game": game, "size": size, "moves": list(moves), "seats": seats or both}
        made = self.context.request.post("/api/games", data=body, headers={"Origin": self.url})
        assert made.ok, made.text()
        self.page.goto(f"/g/{made.json()['id']}")
        self.wait_for_board()

    def wait_for_board(self) -> None:
        """Until a live game is on the page."""
        self.see("table").wait_for()

    def see(self, name: str) -> Locator:
        """What the page calls by that name."""
        return self.page.get_by_test_id(name)

    @property
    def note(self) -> Locator:
        """The sentence under the board."""
        return self.see("note")

    @property
    def board(self) -> Locator:
        """The board itself."""
        return self.page.locator("svg.board.interactive")

    # -- what the server says -----------------------------------------------------------------

    @property
    def game_id(self) -> str:
        """The game in the address."""
        found = re.search(r"/g/([^/#?]+)", self.page.url)
        assert found, self.page.url
        return found[1]

    def state(self) -> Any:
        """The game as the server tells it to this browser."""
        return self.context.request.get(f"/api/games/{self.game_id}").json()

    def legal(self, view: Any) -> list[str]:
        """Every legal move of a view."""
        if view["placements"] is None:
            return cast(list[str], view["legal"])
        if not self._placements:
            self._placements = self.context.request.get("/api/pentwall/placements").json()
        bits = b64decode(view["placements"])
        return [move for at, move in enumerate(self._placements) if bits[at // 8] >> at % 8 & 1]

    def wait_for_turn(self, ply: int) -> str:
        """Until that many moves were made and it is our turn again, or the game is over; says which."""
        self.page.wait_for_function(
            """ply => {
                const table = document.querySelector('[data-testid=table]');
                return table && Number(table.dataset.ply) >= ply && ['mine', 'over'].includes(table.dataset.state);
            }""",
            arg=ply,
        )
        return cast(str, self.see("table").get_attribute("data-state"))

    def wait_for_ply(self, ply: int) -> None:
        """Until that many moves stand on this page."""
        self.page.wait_for_function(
            "ply => Number(document.querySelector('[data-testid=table]')?.dataset.ply) >= ply", arg=ply
        )

    # -- playing ------------------------------------------------------------------------------

    def play_to_the_end(self, how: How, seed: int = 1, most: int = 400) -> Any:
        """Legal moves by that hand until the game is over; the state at the end."""
        random = Random(seed)
        for _ in range(most):
            state = self.state()
            if self.wait_for_turn(len(state["moves"])) == "over":
                return self.state()
            state = self.state()
            self.play(self.choose(state, random), how)
            self.wait_for_ply(len(state["moves"]) + 1)
        raise AssertionError("the game did not end")

    def choose(self, state: Any, random: Random) -> str:
        """A random move; in Pyloff a good one, since random captures can go on for a hundred moves."""
        if state["game"] != "pyloff":
            return random.choice([move for move in self.legal(state["view"]) if move != "swap"])
        line = {"game": "pyloff", "size": state["size"], "moves": state["moves"], "level": 2}
        answer = self.context.request.post("/api/analyse", data=line, headers={"Origin": self.url})
        return cast(str, answer.json()["best_move"])

    def play(self, move: str, how: How) -> None:
        """Make one move by that hand."""
        if move == "pass":
            self.see("pass").click()
        elif how == "typed":
            self.page.get_by_label("Type a move").fill(move)
            self.page.get_by_label("Type a move").press("Enter")
        elif how == "keys":
            self.play_by_keys(move)
        elif move[0].isupper():
            self.lay(move, how)
        else:
            for square in move.split("x"):
                self.press(square, how)
            if how == "touch" and "x" not in move:
                self.press(move, how)

    def spot(self, square: str) -> tuple[float, float]:
        """Where the middle of a square or point is on the screen."""
        level, column, row = place_of(square)
        size = int(self.board.get_attribute("data-size") or 0)
        shift = (level - 1) / 2
        x, y = (column - 0.5 + shift) * CELL, (size - row + 0.5 - shift) * CELL
        self.page.evaluate("scrollTo(0, 0)")  # the score stays at the top and must not lie over the board
        spot = self.board.evaluate(
            """(svg, [x, y]) => {
                const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
                return [at.x, at.y];
            }""",
            [x, y],
        )
        return spot[0], spot[1]

    def press(self, square: str, how: How) -> None:
        """Click or tap a square."""
        if how == "touch":
            self.page.touchscreen.tap(*self.spot(square))
        else:
            self.page.mouse.click(*self.spot(square))

    def slide(self, *squares: str) -> None:
        """A finger goes down on the first square, over the others, and up from the last."""
        finger = self.context.new_cdp_session(self.page)
        for kind, square in [("touchStart", squares[0]), *(("touchMove", square) for square in squares[1:])]:
            x, y = self.spot(square)
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        finger.detach()

    def lay(self, move: str, how: How) -> None:
        """Take a pentomino, turn and flip it until it lies as the move says, and paint it."""
        taken = self.page.get_by_role("button", name=f"Take {move[0]}")
        if taken.get_attribute("aria-pressed") != "true":
            taken.tap() if how == "touch" else taken.click()
        square = grip(move)
        for turn in range(8):
            if how == "touch":
                self.put_back()  # a turned one that fits waits for its second tap
                self.press(square, how)
            else:
                self.page.mouse.move(*self.spot(square))
            self.be_drawn()
            if self.board.get_attribute("data-aim") == move:
                self.press(square, how)
                return
            tool = self.page.get_by_role("button", name="Flip" if turn == 3 else "Turn", exact=True)
            tool.tap() if how == "touch" else tool.click()
            self.be_drawn()
        raise AssertionError(f"{move} could not be laid")

    def be_drawn(self) -> None:
        """Until the page has drawn what the last touch did: a busy machine may be a frame behind."""
        self.page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")

    def put_back(self) -> None:
        """Not the move that waits for its second tap, if there is one."""
        cancel = self.page.get_by_role("button", name="Cancel", disabled=False)
        if cancel.is_visible():
            cancel.tap()

    # -- keys alone ---------------------------------------------------------------------------

    def key(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def play_by_keys(self, move: str) -> None:
        """Walk the cursor to the squares of a move and press Enter; the board takes the focus with ``b``."""
        if not self.board.evaluate("board => board === document.activeElement"):
            self.key("b")
        if move[0].isupper():
            self.lay_by_keys(move)
            return
        for square in move.split("x"):
            self.walk_to(square)
            self.key("Enter")

    def walk_to(self, square: str) -> None:
        """Arrow keys, from wherever the cursor is, to a square; over a pile, to the line that the point lies on."""
        level, column, row = place_of(square)
        size = int(self.board.get_attribute("data-size") or 0)
        lower = (level - 1) // 2  # points two levels apart lie straight above each other
        steps = (
            2 if "pyloff" in (self.board.get_attribute("class") or "") else 1
        )  # a pile's lines lie half a square apart
        up = (row + lower - 1) * steps + (level - 1) % 2
        self.key("ArrowDown", *["ArrowDown"] * size * steps, *["ArrowLeft"] * size)
        self.key(*["ArrowUp"] * up, *["ArrowRight"] * (column + lower - 1))

    def lay_by_keys(self, move: str) -> None:
        """The letter picks, space turns, x flips, arrows move, Enter paints."""
        self.key("Escape", "Shift+X" if move[0] == "X" else move[0].lower())
        self.walk_to(grip(move))
        for turn in range(8):
            if self.board.get_attribute("data-aim") == move:
                self.key("Enter")
                return
            self.key("x" if turn == 3 else " ")
        raise AssertionError(f"{move} could not be laid")


def place_of(name: str) -> tuple[int, int, int]:
    """Level, column and row of a square or point."""
    found = re.fullmatch(r"(\d*)([a-s])(\d+)", name)
    assert found, name
    return int(found[1] or 1), ord(found[2]) - 96, int(found[3])


def grip(move: str) -> str:
    """The square of a pentomino nearest to its middle: the pointer holds it there."""
    squares: list[str] = re.findall(r"[a-j]\d+", move)
    places = [(ord(square[0]), int(square[1:])) for square in squares]
    middle = (sum(x for x, _ in places) / 5, sum(y for _, y in places) / 5)
    far = [(x - middle[0]) ** 2 + (y - middle[1]) ** 2 for x, y in places]
    return squares[min(range(5), key=lambda at: round(far[at], 6))]
