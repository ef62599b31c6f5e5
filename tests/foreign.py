"""A made-up language: every sentence in other letters, so that one that is still English is seen at once."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from babel.messages.pofile import read_po, write_po

from purlieu import GAMES

ROOT = Path(__file__).parents[1]
LANGUAGES = ROOT / "src" / "purlieu" / "languages"
TAG = "zz"
_LETTERS = {ord("a") + at: 0x430 + at for at in range(26)} | {ord("A") + at: 0x410 + at for at in range(26)}
_KEPT = re.compile(r"\{\w*\}|<!--.*?-->|```.*?```|`[^`]*`|\]\([^)]*\)", re.DOTALL)


def foreign(text: str) -> str:
    """A text in the made-up language: what is in braces, in Markdown's code and in its links stays as it is."""
    kept = _KEPT.findall(text)
    parts = [part.translate(_LETTERS) for part in _KEPT.split(text)]
    return "".join(part + stays for part, stays in zip(parts, [*kept, ""], strict=True))


def make_language(folder: Path) -> None:
    """The language as its translators would leave it: one folder, and nothing else."""
    own = folder / TAG
    (own / "rules").mkdir(parents=True)
    for page in (LANGUAGES / "en" / "rules").glob("*.md"):
        (own / "rules" / page.name).write_text(foreign(page.read_text(encoding="utf-8")), encoding="utf-8")
    (own / "lessons").mkdir()
    for lesson in (LANGUAGES / "en" / "lessons").glob("*.json"):
        steps = json.loads(lesson.read_text(encoding="utf-8"))
        steps = [step | {part: foreign(step[part]) for part in ("text", "then")} for step in steps]
        (own / "lessons" / lesson.name).write_text(json.dumps(steps), encoding="utf-8")
    shutil.copy(LANGUAGES / "messages.pot", folder)
    with (folder / "messages.pot").open("rb") as source:
        catalogue = read_po(source)
    for message in catalogue:
        if message.id:
            many = message.id if isinstance(message.id, tuple) else ()
            message.string = tuple(map(foreign, many)) if many else foreign(str(message.id))
    with (own / "messages.po").open("wb") as target:
        write_po(target, catalogue)
    subprocess.run([sys.executable, ROOT / "scripts" / "words.py", folder], check=True, capture_output=True)


_SAME_EVERYWHERE = re.compile(
    "|".join(
        (
            r"\b(?:" + "|".join(f"{game.name}|{game.title}|{game.designer}" for game in GAMES.values()) + r")\b",
            r"\b\d*[a-z]\d+(?:x[a-z]\d+)?\b",  # squares, points and captures
            r"\b[A-Z](?:[a-z]\d+){5}\b",  # pentominoes
            r"\bpass\b|\bswap\b",
            r"\S*/\S*|\b\w+\.(?:pur|jsonl|svg|txt)\b|\b(?:ply|blue|passes|last|moves)=\S*",  # positions and files
        )
    )
)


def english_in(text: str) -> list[str]:
    """The lines in which a word stands that is not of the made-up language, nor a name or a move."""
    lines = [_SAME_EVERYWHERE.sub("", line) for line in text.split("\n")]
    return [line for line in lines if re.search(r"[A-Za-z]{2}", line)]
