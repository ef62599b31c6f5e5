"""Play a random game of Pyloff, count it, save it as a record, and read it back."""

from random import Random

import purlieu
from purlieu.records import Record, dumps, loads

random = Random(2006)
start = position = purlieu.start("pyloff", size=4)
moves = []
while legal := position.legal_moves():
    moves.append(random.choice(legal))
    position = position.play(moves[-1])

assert position.outcome is not None
print(f"{len(moves)} turns; {position.outcome.reason}")
for entry in position.ledger().entries:
    print(f"{entry.owner.title if entry.owner else 'nobody'}: {entry.points}")

text = dumps(Record.of(start, moves, first="Black bot", second="White bot"))
(record,) = loads(text)
assert record.end == position
print(text.splitlines()[0])
