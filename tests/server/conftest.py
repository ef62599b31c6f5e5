from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .postgres import Cluster, cluster
from .site import PEOPLE, Person, Site, running, settings_for


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    with cluster() as made:
        yield made


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that tests share: each makes games of its own."""
    with running(settings_for(tmp_path_factory.mktemp("site"))) as made:
        yield made


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def either_site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The shared server, and one on PostgreSQL."""
    if request.param == "sqlite":
        yield request.getfixturevalue("site")
        return
    url = request.getfixturevalue("postgres").database()
    with running(settings_for(tmp_path_factory.mktemp("pg"), database=url)) as made:
        yield made


@pytest.fixture
def ana(site: Site) -> Person:
    return site.person()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture(autouse=True)
def _browsers_are_closed() -> Iterator[None]:
    yield
    while PEOPLE:
        PEOPLE.pop().http.close()
