"""Draw the pictures of the docs from the comments that stand above them, so that none can go stale.

A picture is asked for in the Markdown itself:

    <!-- draw NAME.svg: POSITION [| play MOVE] [| why MOVE] [| ledger] -->

and is written to the folder `pictures/` beside the page, in the language that the page is in. `--check` writes nothing
and fails if a picture differs from what would be drawn.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

import purlieu
from purlieu.drawing import svg
from purlieu.languages import ENGLISH, speaking

ROOT = Path(__file__).parent.parent
LANGUAGES = ROOT / "src" / "purlieu" / "languages"
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), *LANGUAGES.rglob("*.md")])
ASKED = re.compile(r"<!-- draw (?P<file>[\w./-]+\.svg): (?P<position>[^|>]+?)(?P<options>(?: \| [^|>]+?)*) -->")


def pictures(page: Path) -> dict[Path, str]:
    """Every picture that the page asks for, drawn."""
    language = page.relative_to(LANGUAGES).parts[0] if page.is_relative_to(LANGUAGES) else ENGLISH
    with speaking(language):
        return {
            page.parent / "pictures" / match["file"]: draw(match["position"], match["options"])
            for match in ASKED.finditer(page.read_text(encoding="utf-8"))
        }


def draw(position_text: str, options: str) -> str:
    """One picture, from the two halves of its comment."""
    position = purlieu.parse(position_text)
    before, last_move, refusal, ledger = None, None, None, False
    for option in filter(None, map(str.strip, options.split("|"))):
        word, _, move = option.partition(" ")
        match word:
            case "play":
                before, last_move = position, position.read_move(move)
                position = position.play(last_move)
            case "why":
                refusal = position.explain(move)
                if refusal is None:
                    raise SystemExit(f"{position_text}: {move} is legal, so there is no why")
            case "ledger":
                ledger = True
            case _:
                raise SystemExit(f"{option!r} is no option; expected play MOVE, why MOVE or ledger")
    return svg(position, before=before, last_move=last_move, refusal=refusal, ledger=ledger)


def main() -> None:
    """Draw all pictures, or check that all are as they would be drawn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a picture is stale")
    check = parser.parse_args().check
    stale = 0
    for page in PAGES:
        for file, drawn in pictures(page).items():
            if file.exists() and file.read_text(encoding="utf-8") == drawn:
                continue
            stale += 1
            print(f"{'stale' if check else 'drew'} {file.relative_to(ROOT)}")
            if not check:
                file.parent.mkdir(exist_ok=True)
                file.write_text(drawn, encoding="utf-8")
    if check and stale:
        sys.exit("run 'make docs'")


if __name__ == "__main__":
    main()
