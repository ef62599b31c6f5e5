"""What environments need beyond purlieu itself, said before anything else goes wrong."""

from __future__ import annotations

from purlieu.kit.packages import is_there


def require_packages() -> None:
    """NumPy, Gymnasium and PettingZoo, or a sentence that names those that are missing."""
    missing = [name for name in ("numpy", "gymnasium", "pettingzoo") if not is_there(name)]
    if missing:
        raise ImportError(f"purlieu.env needs {', '.join(missing)}: pip install 'purlieu[env]'")
