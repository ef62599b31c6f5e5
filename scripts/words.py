"""The catalogues of sentences: gather the English ones, and bring every language's files up to date.

`make words` writes `languages/messages.pot` from the code and the page, merges it into each
`languages/TAG/messages.po`, and compiles that into the `messages.json` that Python and the page read. A new language is
a new folder with a `messages.po`, made from `messages.pot` as gettext's tools do it.
"""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterator, Sequence
from gettext import c2py
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from purlieu.kit.files import write_whole
from purlieu.rules.endings import REASONS

ROOT = Path(__file__).parent.parent
PYTHON = ROOT / "src" / "purlieu"
PAGE = ROOT / "web" / "src" / "english.ts"
LANGUAGES = PYTHON / "languages"
NAME = re.compile(r"\{(\w*)\}")
ONE, MANY = ((1, "c"), 2), ((1, "c"), 2, 3)
KEYWORDS = {
    **dict.fromkeys(("Message", "BadNotation", "BadSize", "UnknownGame", "PurlieuError"), ONE),
    "many": MANY,
}
Found = tuple[str, str | tuple[str, str], str]
"""A message's code, its English, and the file that says it."""


def python_messages() -> Iterator[Found]:
    """What the Python code says."""
    for path in sorted(PYTHON.rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        with path.open("rb") as source:
            for _, english, _, code in extract("python", source, KEYWORDS, (), {"encoding": "utf-8"}):
                if code:
                    yield code, english if isinstance(english, str) else (english[0], english[1]), name
    for code, text in REASONS.items():
        yield code, text, "src/purlieu/rules/endings.py"


def page_messages() -> Iterator[Found]:
    """What the page says: a tree of texts, each named by its path."""
    if not PAGE.exists():
        return
    tree = re.search(r"\{.*\}", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert tree, "english.ts holds one object"

    def walk(node: object, path: str) -> Iterator[Found]:
        if isinstance(node, dict):
            for name, below in node.items():
                yield from walk(below, f"{path}.{name}")
        elif isinstance(node, list):
            yield path, (node[0], node[1]), "web/src/english.ts"
        else:
            yield path, str(node), "web/src/english.ts"

    yield from walk(json.loads(tree[0]), "page")


def template() -> Catalog:
    """Every message. A code stands for one sentence: two of them are a mistake."""
    found: dict[str, tuple[str | tuple[str, str], set[str]]] = {}
    for code, english, path in (*python_messages(), *page_messages()):
        known, places = found.setdefault(code, (english, set()))
        if known != english:
            sys.exit(f"{path}: {code} says {english!r}, and elsewhere {known!r}")
        places.add(path)
    catalogue = Catalog(project="purlieu", copyright_holder="The purlieu team", fuzzy=False)
    for code, (english, places) in sorted(found.items()):
        catalogue.add(english, context=code, locations=[(path, 0) for path in sorted(places)])
    return catalogue


def po_text(catalogue: Catalog) -> str:
    """A catalogue as its file: without line numbers and dates, which change with every commit."""
    text = io.BytesIO()
    write_po(text, catalogue, width=120, include_lineno=False, ignore_obsolete=True)
    return re.sub(r'^"(POT|PO)-[^"]*"\n', "", text.getvalue().decode(), flags=re.MULTILINE)


def compiled(catalogue: Catalog) -> str:
    """What Python and the page read: the translations by code, and which plural a number takes."""
    texts = {}
    for message in catalogue:
        forms = _forms(message.string)
        if message.context and not message.fuzzy and forms and all(forms):
            known = {name for form in _forms(message.id) for name in NAME.findall(form)}
            if unknown := [name for form in forms for name in NAME.findall(form) if name not in known]:
                names = ", ".join(f"{{{name}}}" for name in sorted(known)) or "none"
                sys.exit(f"{message.context}: the translation names {{{unknown[0]}}}; the names here are {names}")
            texts[message.context] = forms if message.pluralizable else forms[0]
    plural_of = c2py(catalogue.plural_expr)
    plurals = "".join(str(plural_of(number)) for number in range(200))
    return json.dumps({"plurals": plurals, "texts": texts}, ensure_ascii=False, indent=1) + "\n"


def _forms(text: str | Sequence[str] | None) -> list[str]:
    return [text] if isinstance(text, str) else list(text or ())


def main(folder: Path = LANGUAGES) -> None:
    """Bring the template and every language in the folder up to date."""
    messages = template()
    write_whole(folder / "messages.pot", po_text(messages).encode())
    for path in sorted(folder.glob("*/messages.po")):
        with path.open("rb") as source:
            catalogue = read_po(source)
        catalogue.update(messages)
        write_whole(path, po_text(catalogue).encode())
        write_whole(path.with_suffix(".json"), compiled(catalogue).encode())
        done = sum(bool(message.string) for message in catalogue if message.id)
        print(f"{path.parent.name}: {done} of {len(catalogue)} sentences are translated")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
