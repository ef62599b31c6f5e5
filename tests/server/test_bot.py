"""The bot of the examples plays a whole game, and the rest of purlieu needs none of the server's packages."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from .site import Site

BOT = Path(__file__).parent.parent.parent / "examples" / "bot.py"


def test_the_bot_plays_a_game_to_its_end(site: Site) -> None:
    done = subprocess.run(
        [sys.executable, str(BOT), site.url], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert ast.literal_eval(done.stdout)["winner"] in ("first", "second")


WITHOUT = """
import sys
for name in ("fastapi", "starlette", "uvicorn", "sqlalchemy", "alembic", "websockets", "psycopg"):
    sys.modules[name] = None
import purlieu.cli
purlieu.cli.main(sys.argv[1:])
"""


def test_without_the_servers_packages_all_else_works_and_serve_says_what_is_missing() -> None:
    rules = subprocess.run(
        [sys.executable, "-c", WITHOUT, "rules", "pilo"], capture_output=True, text=True, check=False
    )
    assert rules.returncode == 0, rules.stderr
    serve = subprocess.run([sys.executable, "-c", WITHOUT, "serve"], capture_output=True, text=True, check=False)
    assert serve.returncode == 1
    assert "pip install 'purlieu[web]'" in serve.stderr
