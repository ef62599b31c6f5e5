"""``python -m purlieu.train GAME --out RUN/ …`` is ``purlieu train GAME --out RUN/ …``."""

from __future__ import annotations

import sys

from purlieu.cli import main

if __name__ == "__main__":
    main(["train", *sys.argv[1:]])
