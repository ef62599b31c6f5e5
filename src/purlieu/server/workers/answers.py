"""What the computer has thought of positions lately: the same work is not done twice."""

from __future__ import annotations

import hashlib

from ..cache import Cache
from .jobs import Job, Task


class Answers:
    """Answers to tasks of fixed work, which every worker answers alike, as they were sent; those asked for of late."""

    def __init__(self, most_bytes: int) -> None:
        self.known: Cache[bytes, bytes] = Cache(most_bytes, len)

    def find(self, task: Task) -> bytes | None:
        """What was sent in answer to the same task."""
        return self.known.get(_name(task))

    def keep(self, job: Job, sent: bytes) -> None:
        """Remember what is sent, if it is what any worker would have found, and whole."""
        task = job.task
        if not isinstance(task, Task) or task.effort is None or job.stopped.is_set() or job.attempts > 1:
            return
        self.known.put(_name(task), sent)


def _name(task: Task) -> bytes:
    """A short name for a task, whose line may have thousands of moves."""
    return hashlib.blake2b(repr(task).encode(), digest_size=16).digest()
