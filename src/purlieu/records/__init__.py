"""Records of games: a text for people, JSON Lines for programs, and what both hold.

Uses `purlieu.rules` and `purlieu.kit`, and nothing else of purlieu's. The formats are described in docs/records.md.
"""

from .errors import RecordError as RecordError
from .files import load as load
from .files import read_file as read_file
from .games import LONGEST_GAME as LONGEST_GAME
from .jsonl import dump_json as dump_json
from .jsonl import read_jsonl as read_jsonl
from .jsonl import write_jsonl as write_jsonl
from .model import DEEPEST as DEEPEST
from .model import MOST_MOVES as MOST_MOVES
from .model import Line as Line
from .model import Node as Node
from .model import Record as Record
from .reader import loads as loads
from .reader import read_records as read_records
from .tags import ending_of as ending_of
from .texts import MARKS as MARKS
from .writer import dumps as dumps
from .writer import write_records as write_records
