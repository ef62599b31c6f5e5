from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.server.site import Site, running, settings_for

from .visitor import Visitor

expect.set_options(timeout=20_000)  # a busy machine is no failure
QUIET = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    assert chromium, "these tests drive Debian's chromium; `make browser` installs it"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=list(QUIET))
        yield started
        started.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that tests share: each makes games of its own."""
    with running(settings_for(tmp_path_factory.mktemp("site"))) as made:
        assert (made.runtime.settings.web / "index.html").exists(), "the client is not built; `make web` builds it"
        yield made


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Callable[..., Visitor]]:
    """Makes visitors with browsers of their own. None of them may have met an error when the test ends."""
    visitors: list[Visitor] = []

    def come(**wishes: object) -> Visitor:
        visitors.append(Visitor(browser, site.url, **wishes))  # type: ignore[arg-type]
        return visitors[-1]

    yield come
    problems = [problem for visitor in visitors for problem in visitor.problems]
    for visitor in visitors:
        visitor.leave()
    assert not problems, problems


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, which comes with the client's tools."""
    return (Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js").read_text()
