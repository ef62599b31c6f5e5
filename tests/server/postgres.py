"""A PostgreSQL of our own for the tests: a cluster in a temporary folder, reached by a socket in it."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Cluster:
    """A running PostgreSQL; each test gets a database of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.made = 0

    def database(self) -> str:
        """A new, empty database's URL."""
        self.made += 1
        name = f"test{self.made}"
        run(binary("createdb"), "-h", str(self.folder), "-U", "postgres", name)
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def restart(self) -> None:
        """As after a power cut, and up again."""
        self.control("restart", "-m", "immediate")

    def control(self, *words: str) -> None:
        """pg_ctl."""
        run(binary("pg_ctl"), "-D", str(self.data), "-w", "-l", str(self.folder / "log"), *words)


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A cluster for the length of the tests."""
    folder = Path(tempfile.mkdtemp(prefix="purlieu-pg-"))
    folder.chmod(0o777)
    made = Cluster(folder)
    try:
        run(binary("initdb"), "-D", str(made.data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C")
        options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
        made.control("-o", options, "start")
        yield made
    finally:
        if (made.data / "postmaster.pid").exists():
            made.control("stop", "-m", "immediate")
        shutil.rmtree(folder, ignore_errors=True)


def binary(name: str) -> str:
    """One of PostgreSQL's programs; Debian keeps the server's own out of the path."""
    config = shutil.which("pg_config")
    assert config, "these tests need PostgreSQL's server programs: apt-get install postgresql"
    folder = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=True).stdout.strip()
    return str(Path(folder) / name)


def run(*command: str) -> None:
    """As the user postgres if we are root, which PostgreSQL refuses to run as."""
    prefix = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 and pwd.getpwnam("postgres") else []
    done = subprocess.run([*prefix, *command], capture_output=True, text=True, check=False, cwd="/")
    assert done.returncode == 0, f"{command[0]}: {done.stdout}{done.stderr}"
