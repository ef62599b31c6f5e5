"""Which functions of the page a browser has called."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from .visitor import Visitor


class Coverage:
    """Hears from a browser which functions of the page are called from now on."""

    def __init__(self, visitor: Visitor, built: Path) -> None:
        self._files = {script.name: _files_of(script) for script in built.glob("assets/*.js")}
        self._browser = visitor.context.new_cdp_session(visitor.page)
        self._browser.send("Profiler.enable")
        self._browser.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": False})
        self._browser.send("Profiler.takePreciseCoverage")  # counts begin anew

    def end(self) -> dict[str, Counter[str]]:
        """By file, how often each name was called; functions without a name are nobody's step."""
        called: dict[str, Counter[str]] = {}
        for script in self._browser.send("Profiler.takePreciseCoverage")["result"]:
            files = self._files.get(script["url"].rpartition("/")[2], [])
            for function in script["functions"]:
                (whole, *_), name = function["ranges"], function["functionName"]
                before = [path for at, path in files if at <= whole["startOffset"]]
                if name and whole["count"] and before and before[-1]:
                    called.setdefault(before[-1], Counter())[re.sub(r"\$\d+$", "", name)] += whole["count"]
        return called


def _files_of(script: Path) -> list[tuple[int, str]]:
    """Where in a bundle each file of ours begins; an empty name where one ends."""
    bundle = script.read_text(encoding="utf-8")
    return [(found.start(), found[1] or "") for found in re.finditer(r"//#(?:region src/(\S+)|endregion)", bundle)]
