"""Petrify's page."""

from purlieu.rules.petrify import draw

from .page import Figure, Heading, Page, played, refused

_LINE = draw("""
    . . . . o
    . . . . .
    . . b . .
    . b . # .
    . . . . o
""")
_TAKEN = played(_LINE, "c3xe5")
_MOUND = draw("""
    . . o .
    . . . .
    . . . .
    . # b .
""")
_BARRICADE = draw("""
    . . . . .
    . . . # .
    . . b . o
    . # . . .
    . . . . .
""")
_COUNT = draw("""
    b b o # o
    b o o # o
    o o b # b
    b o b # b
    b b b # o
""")

PAGE: Page = (
    "Blue and Orange take turns on an empty square board; Blue (the first seat) begins. Blocks come to divide the "
    "board into patches. In the end each patch belongs to the colour with the best group in it.",
    Heading("A turn: place or capture"),
    "Place one of your disks on any empty square (c3). Or capture: choose one of your disks and one of the eight "
    "directions, orthogonal or diagonal. It travels over empty squares and over your own disks; the first other "
    "thing on its way must be an enemy disk. Your disk takes its place, and a neutral block appears on the square "
    "your disk left (c3xe5).",
    Figure(
        _LINE,
        "Blue to move. The disk on c3 sees e5 along the diagonal, and so does b2, over its friend on c3. "
        "Neither takes e1: a block on d2 stops c3, and b2 has no line to it.",
    ),
    Figure(_TAKEN[0], "After c3xe5. The disk has arrived on e5, and c3 is stone.", _TAKEN[1]),
    Heading("No mounds, no barricades"),
    "A capture is forbidden if its new block would complete a mound (four blocks in a 2×2 square) or a barricade "
    "(three blocks in a row on a diagonal). For this the board's surroundings count as blocks: imagine one more "
    "ring of squares, all blocks. So no block ever stands in a corner, and two never stand side by side on an edge.",
    Figure(
        _MOUND,
        "c1xc4 is refused: a block on c1, the one on b1 and two squares of the ring would be a mound.",
        refused(_MOUND, "c1xc4"),
    ),
    Figure(
        _BARRICADE,
        "c3xe3 is refused: b2, c3 and d4 would be a barricade.",
        refused(_BARRICADE, "c3xe3"),
    ),
    Heading("Passing, and the end"),
    "If you can neither place nor capture you must pass; nobody passes by choice. Two passes in a row end the game, "
    "and then no square is empty.",
    Heading("The count"),
    "A patch is a region of squares without blocks, connected by edges. A group is a set of disks of one colour, "
    "connected by edges; its size is its number of squares. In each patch strike out pairs of one blue and one "
    "orange group of equal size for as long as there are any. The colour of the biggest group left owns the patch "
    "and scores one point for each of its squares. The higher total wins.",
    Figure(
        _COUNT,
        "Two patches. In the left one Blue's 6 and Orange's 6 cancel, which leaves Blue's 3: Blue owns 15 squares. "
        "In the right one 2 and 2 cancel, which leaves Orange's 1: Orange owns 5.",
    ),
    "A tie goes against the side that made the last board play. There are no draws.",
    Heading("The pie rule"),
    "On its first turn, and only then, the second seat may swap instead of playing: the seats exchange colours.",
    Heading("Rulings"),
    "After a swap the first seat moves, now as Orange: the swap was the second seat's turn.",
    "A patch where every group was struck out is nobody's; a finished board has no other empty patch.",
    "Boards of 6×6 to 10×10 are recommended; purlieu takes 3×3 and up for study.",
)
