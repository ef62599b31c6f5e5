"""What a command needs beyond purlieu itself, said before anything else goes wrong."""

from __future__ import annotations

from purlieu.kit.packages import is_there
from purlieu.rules import PurlieuError


def require_numpy() -> None:
    """The package that nets are asked with, or a sentence that names it."""
    if not is_there("numpy"):
        raise PurlieuError("cli.signature_needs_numpy", "the signature needs numpy: pip install 'purlieu[net]'")


def require_web() -> None:
    """The server's packages, or a sentence that names them."""
    missing = [name for name in ("fastapi", "uvicorn", "websockets", "sqlalchemy", "alembic") if not is_there(name)]
    if missing:
        raise PurlieuError(
            "cli.server_needs",
            "the server needs {packages}: pip install 'purlieu[web]'",
            packages=", ".join(missing),
        )
