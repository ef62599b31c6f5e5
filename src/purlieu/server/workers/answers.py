"""What the computer has thought of positions lately: the same work is not done twice."""

from __future__ import annotations

from collections import OrderedDict

from .jobs import Answer, Job, Task

MOST = 2_000
"""Answers that are remembered, of a few kilobytes each: some twenty games, move by move."""


class Answers:
    """Answers to tasks of fixed work, which every worker answers alike; those asked for of late."""

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self.known: OrderedDict[Task, Answer] = OrderedDict()

    def find(self, task: Task) -> Answer | None:
        """The answer to the same task."""
        answer = self.known.get(task)
        if answer:
            self.known.move_to_end(task)
        return answer

    def keep(self, job: Job, answer: Answer) -> None:
        """Remember an answer, if it is what any worker would have found, and whole."""
        if job.task.effort is None or job.stopped.is_set() or job.attempts > 1:
            return
        self.known[job.task] = answer
        while len(self.known) > self.most:
            self.known.popitem(last=False)
