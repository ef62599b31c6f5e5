"""What a command needs beyond purlieu itself, said before anything else goes wrong."""

from __future__ import annotations

from importlib.util import find_spec

from purlieu.rules import PurlieuError


def is_there(name: str) -> bool:
    """Whether a package can be imported."""
    try:
        return find_spec(name) is not None
    except ValueError:  # it was taken away on purpose
        return False


def require_web() -> None:
    """The server's packages, or a sentence that names them."""
    missing = [name for name in ("fastapi", "uvicorn", "websockets", "sqlalchemy", "alembic") if not is_there(name)]
    if missing:
        raise PurlieuError(f"the server needs {', '.join(missing)}: pip install 'purlieu[web]'")
