"""The page in a made-up language: a folder is added, no code is touched, and no word of English is left."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, expect

import purlieu
from tests.foreign import ROOT, TAG, english_in, foreign, make_language
from tests.server.site import Site, running, settings_for

from .visitor import DESK, Visitor

READ = """() => {
    const seen = [document.title];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walk.nextNode(); node; node = walk.nextNode())
        if (node.nodeType === Node.TEXT_NODE) seen.push(node.data);
        else for (const name of ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'alt'])
            if (node.hasAttribute(name)) seen.push(node.getAttribute(name));
    return seen.join('\\n');
}"""
NAMES = ("purlieu", "SVG", "PNG", "Esc", "Home", "End", "Shift", "Space", "English", TAG)
COMMANDS = ("sheet", "pick W", "turn", "flip", "at", "paint", "pool")
"""What is the same in every language: names, keys, kinds of files; and what one types in the terminal."""


@pytest.fixture(scope="module")
def foreign_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("languages")
    make_language(folder)
    web = folder / "web"
    build = ["npm", "--prefix", str(ROOT / "web"), "run", "--silent", "build", "--"]
    path = os.environ["PATH"] + os.pathsep + str(ROOT / ".venv" / "bin")  # which has npm where the system has none
    subprocess.run(
        [*build, "--outDir", str(web), "--logLevel", "error"],
        check=True,
        env={**os.environ, "PATH": path, "PURLIEU_LANGUAGES": str(folder)},
    )
    with running(settings_for(tmp_path_factory.mktemp("foreign"), web=web)) as made:
        yield made


@pytest.fixture
def reader(browser: Browser, foreign_site: Site) -> Iterator[Visitor]:
    """Somebody who has chosen the made-up language."""
    visitor = Visitor(browser, foreign_site.url, screen=DESK)
    choose = f"JSON.stringify({{ sound: false, language: '{TAG}' }})"
    visitor.context.add_init_script(
        f"localStorage.getItem('purlieu.prefs') ?? localStorage.setItem('purlieu.prefs', {choose})"
    )
    yield visitor
    problems = visitor.problems
    visitor.leave()
    assert not problems, problems


def press(visitor: Visitor, english: str) -> None:
    """Press the button that says that in English."""
    visitor.page.get_by_role("button", name=foreign(english), exact=True).first.click()


def require_foreign(visitor: Visitor, what: str) -> None:
    """No word of the page is English."""
    text = visitor.page.evaluate(READ)
    for name in (*NAMES, *COMMANDS):
        text = re.sub(rf"\b{name}\b", "", text)
    text = re.sub(r"\b[A-Zx][a-z]\d+\b", "", text)  # parts of moves
    assert not english_in(text), f"{what}: {english_in(text)}"


@pytest.mark.parametrize("path", ["/", "/learn", "/review", "/nowhere", "/g/nothing-here"])
def test_the_pages_around_the_games_speak_it(reader: Visitor, path: str) -> None:
    reader.go(path)
    assert reader.page.evaluate("document.documentElement.lang") == TAG
    require_foreign(reader, path)
    reader.problems = [problem for problem in reader.problems if "404" not in problem]


@pytest.mark.parametrize("game", ["petrify", "pilo", "pentwall", "pyloff"])
def test_the_rules_the_lesson_and_a_new_game_speak_it(reader: Visitor, game: str) -> None:
    for path in (f"/rules/{game}", f"/learn/{game}", f"/new/{game}"):
        reader.go(path)
        require_foreign(reader, path)


def test_settings_keys_and_signing_out_speak_it(reader: Visitor) -> None:
    reader.go("/")
    for label in ("Settings", "Keys"):
        press(reader, label)
        require_foreign(reader, label)
        if label == "Settings":
            reader.see("sign-out").click()
            reader.page.wait_for_load_state("networkidle")
            require_foreign(reader, "signing out")
        reader.page.keyboard.press("Escape")


@pytest.mark.parametrize(
    ("game", "size", "moves", "refused"),
    [
        ("petrify", 4, ["b2", "c3"], "b2xb4"),
        ("pilo", 4, ["b2", "b4"], "b2xc3"),
        ("pentwall", 10, ["Fh3g4h4i4g5"], "Fh3g4h4i4g5"),
        ("pyloff", 4, ["b2", "c2", "b3"], "2c3"),
    ],
)
def test_a_game_speaks_it_from_refusal_to_hint_to_resignation(
    reader: Visitor, game: str, size: int, moves: list[str], refused: str
) -> None:
    reader.make(game, size, moves)
    require_foreign(reader, "the board")
    box = reader.page.locator("form input").last
    box.fill(refused)
    box.press("Enter")
    expect(reader.note).not_to_be_empty()
    require_foreign(reader, "a refusal")
    reader.see("hint").click()
    reader.page.wait_for_load_state("networkidle")
    require_foreign(reader, "a hint")
    press(reader, "More")
    reader.see("resign").click()
    require_foreign(reader, "to resign?")
    reader.see("resign-yes").click()
    expect(reader.see("over")).to_be_visible()
    require_foreign(reader, "the end")


def test_a_record_that_cannot_be_read_is_refused_in_it(reader: Visitor) -> None:
    reader.go("/review")
    reader.page.locator("textarea").fill('[Game "Petrify"]\n\n1. c3 c3 *')
    press(reader, "Open")
    reader.page.wait_for_load_state("networkidle")
    require_foreign(reader, "a wrong record")


def test_a_line_with_a_variation_speaks_it(reader: Visitor) -> None:
    reader.go("/review#g=petrify&s=4&m=b2.c3.b2xc3.d4*.a1(a2)")
    require_foreign(reader, "a line with a variation")


@pytest.mark.parametrize(("game", "size"), [("petrify", 4), ("pilo", 4), ("pentwall", 10), ("pyloff", 3)])
def test_a_game_that_is_over_is_counted_in_it(reader: Visitor, game: str, size: int) -> None:
    position, moves, random = purlieu.start(game, size), list[str](), Random(1)
    while not position.is_over:
        moves.append(str(random.choice([move for move in position.legal_moves() if str(move) != "swap"])))
        position = position.play(moves[-1])
    reader.make(game, size, moves)
    require_foreign(reader, "the end")
    reader.see("count-it").click()
    for step in range(100):
        require_foreign(reader, f"step {step} of the count")
        if reader.page.get_by_role("button", name=foreign("Done"), exact=True).count():
            return
        press(reader, "Next")
    raise AssertionError("the count has no end")


def test_the_language_is_chosen_in_the_settings_at_once(reader: Visitor) -> None:
    reader.go("/")
    press(reader, "Settings")
    reader.page.get_by_role("radio").first.check(force=True)
    expect(reader.page.locator("html")).to_have_attribute("lang", "en")
    expect(reader.page.get_by_text("Settings").first).to_be_visible()


def test_the_folder_of_a_language_is_all_that_it_takes(tmp_path: Path) -> None:
    make_language(tmp_path)
    kinds = {path.relative_to(tmp_path / TAG).parts[0] for path in (tmp_path / TAG).iterdir()}
    assert kinds == {"messages.po", "messages.json", "rules", "lessons"}
