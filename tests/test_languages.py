"""The catalogue of sentences, and languages as folders of their own."""

from __future__ import annotations

import ast
import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import purlieu
from purlieu import languages
from purlieu.rules import IllegalMove, Message

ROOT = Path(__file__).parents[1]


@pytest.fixture
def swapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of languages with one, zz, that says a few things its own way."""
    texts = {
        "occupied.square": "{what} auf {square}!",
        "piece.blue_disk": "blaue Scheibe",
        "illegal": "{move} geht nicht: {why}",
        "suicide": ["ein Stein stirbt: {points}", "{count} Steine sterben: {points}"],
    }
    (tmp_path / "zz").mkdir()
    stored = {"plurals": "1" + "0" + "1" * 198, "texts": texts}
    (tmp_path / "zz" / "messages.json").write_text(json.dumps(stored))
    monkeypatch.setattr(languages, "FOLDER", tmp_path)
    languages.language.cache_clear()
    return tmp_path


def test_a_message_is_its_own_english_and_keeps_its_code_and_values() -> None:
    message = Message("occupied", "{square} is taken", square="c3")
    assert message == "c3 is taken"
    assert message.data() == {"code": "occupied", "values": {"square": "c3"}, "text": "c3 is taken"}
    assert pickle.loads(pickle.dumps(message)).data() == message.data()


def test_a_number_of_things_takes_the_singular_or_the_plural() -> None:
    marbles = [Message.many("m", "{count} marble", "{count} marbles", count=count) for count in (0, 1, 2)]
    assert marbles == ["0 marbles", "1 marble", "2 marbles"]


@pytest.mark.usefixtures("swapped")
def test_a_refusal_is_said_in_the_language_that_is_spoken_with_what_stands_inside_it() -> None:
    position = purlieu.parse("petrify 4/4/4/b3 ply=2")
    with pytest.raises(IllegalMove) as error, languages.speaking("zz"):
        position.play("a1")
    with languages.speaking("zz"):
        assert languages.say(error.value.sentence) == "a1 geht nicht: blaue Scheibe auf a1!"
    assert languages.say(error.value.sentence) == "a1: a1 holds a blue disk; a disk is placed on an empty square"


@pytest.mark.usefixtures("swapped")
def test_each_language_has_its_own_plurals() -> None:
    dead = [Message.many("suicide", "", "", count=count, points="a1") for count in (1, 2)]
    with languages.speaking("zz"):
        assert [languages.say(message) for message in dead] == ["ein Stein stirbt: a1", "2 Steine sterben: a1"]


@pytest.mark.usefixtures("swapped")
def test_what_is_not_translated_is_said_in_english() -> None:
    with languages.speaking("zz"):
        assert languages.say(Message("new", "{count} new", count=3)) == "3 new"


@pytest.mark.usefixtures("swapped")
def test_the_environment_chooses_the_language() -> None:
    assert languages.wanted({"LANG": "zz_ZZ.UTF-8"}) == "zz"
    assert languages.wanted({"PURLIEU_LANG": "en", "LANG": "zz_ZZ.UTF-8"}) == "en"
    assert languages.wanted({"LANG": "C.UTF-8"}) == "en"


def test_every_message_stands_in_the_code_where_the_catalogue_finds_it() -> None:
    """Its code and its English are plain texts, and it is made outside of any f-string."""
    hidden = []
    for path in (ROOT / "src" / "purlieu").rglob("*.py"):
        if path.parent.name == "rules" and path.name in ("endings.py", "errors.py"):  # which fill in what others made
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        texts = [part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)]
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name("Message")) | ast.Call(func=ast.Attribute(ast.Name("Message"), "many")):
                    plain = [isinstance(text, ast.Constant) for text in node.args]
                    if node in texts or not all(plain):
                        hidden.append(f"{path.name}:{node.lineno}: {ast.unparse(node)}")
    assert hidden == []


def test_the_catalogues_are_what_the_code_says(tmp_path: Path) -> None:
    for path in languages.FOLDER.glob("*/messages.po"):
        (tmp_path / path.parent.name).mkdir()
        (tmp_path / path.parent.name / path.name).write_bytes(path.read_bytes())
    subprocess.run([sys.executable, ROOT / "scripts" / "words.py", tmp_path], check=True, capture_output=True)
    for path in tmp_path.rglob("messages.*"):
        kept = languages.FOLDER / path.relative_to(tmp_path)
        assert kept.read_text() == path.read_text(), f"{kept.name} is out of date; `make words` renews it"
