"""Pyloff's page."""

from purlieu.rules import Colour
from purlieu.rules.pyloff import draw

from .page import Figure, Heading, Page, played, refused

_STACK = draw(
    """
    . . . .
    . b w .
    . w b .
    . . . .
    """
)
_STACKED = played(_STACK, "2b2")
_BURIED = draw(
    """
    b w b
    w b w
    b w b
    """,
    """
    b w
    w b
    """,
    """
    b
    """,
)
_CUT = draw(
    """
    . . . .
    . b w .
    . w w .
    . w b .
    """,
    """
    . . .
    . b .
    . b .
    """,
)
_ATARI = draw(
    """
    . . . .
    . b . .
    b w b .
    . . . .
    """
)
_TAKEN = played(_ATARI, "b1")
_SUICIDE = draw(
    """
    . . b .
    . b . b
    . . b .
    . . . .
    """,
    to_move=Colour.WHITE,
)

PAGE: Page = (
    "Black (the first seat) and White play marbles on the points of a square grid. Marbles pile into a pyramid: level "
    "1 is the board, and each level above it is one point shorter along each side.",
    Heading("A turn: one marble"),
    "Put a marble of your colour on a valid point: an empty point of level 1, or one of a higher level that rests on "
    "four marbles of any colours. c3 is on level 1; 2c3 is on level 2, and rests on c3, d3, c4 and d4.",
    Figure(
        _STACKED[0],
        "After 2b2, which rests on b2, c2, b3 and c3. The levels are drawn side by side. Dots are points where a "
        "marble may rest.",
        _STACKED[1],
    ),
    Heading("Groups"),
    "Marbles of one colour are connected when they are neighbours along a line of their level, or when one rests on "
    "the other. Two things undo this. A marble is buried when another stands straight above it, two levels up (c3 "
    "under 3b2): it belongs to no group, but stays and counts at the end. And two neighbours are cut when both points "
    "that rest on the two of them hold enemy marbles: the enemy's link passes over theirs.",
    Figure(_BURIED, "3a1 stands straight above b2, which is buried and drawn small."),
    Figure(
        _CUT,
        "White's b2 and c2 are neighbours, but 2b1 and 2b2, which rest on both of them, are Black's: the two are cut.",
    ),
    Heading("Freedom and capture"),
    "A marble has freedom if a neighbouring point of its own level is valid and empty; a group has it if one of its "
    "marbles does. When you have played, every enemy group without freedom is captured. Captured marbles are lifted "
    "from the highest level down, and one that still carries a marble stays.",
    Figure(_TAKEN[0], "After b1: the white marble on b2 had no freedom left and was captured.", _TAKEN[1]),
    Heading("What is forbidden"),
    "Suicide: after the captures, the group of the marble you played must have freedom. Repetition: no play may bring "
    "back any earlier board of the game (superko).",
    Figure(_SUICIDE, "White may not play c3: that marble would have no freedom.", refused(_SUICIDE, "c3")),
    Heading("The end"),
    "Without a legal play you must pass; nobody passes by choice. Two passes in a row end the game. Whoever has more "
    "marbles on the board wins, buried ones included. There is no pie rule.",
    Heading("Rulings"),
    "Suicide looks at the group, not at the single marble. Any capture may bring the freedom it needs, adjacent or "
    "not; but a capture can also take it away, as lifting a marble can leave a point above it without support.",
    "Straight above means two levels up on the same vertical line. Whether a captured marble carries another is judged "
    "while lifting, from the top.",
    "Captures do not cascade: they are judged once, just after the placement. What a play leaves without freedom "
    "otherwise stays for now: your own at your peril, the enemy's until your next play.",
    "Superko means the whole game's boards, whoever was to move, the empty board among them.",
    "Equal numbers of marbles are a draw. Black begins.",
)
