"""``python -m purlieu.server.http.openapi``: the API's description, from which the client's types are made."""

from __future__ import annotations

import json
import sys

from ..settings import Settings
from .app import make_app


def schema_text() -> str:
    """The description as JSON, the same text every time."""
    return json.dumps(make_app(Settings()).openapi(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
