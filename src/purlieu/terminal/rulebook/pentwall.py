"""Pentwall's page."""

from purlieu.rules.pentwall import draw, start

from .page import Figure, Heading, Page, played

_FIRST = played(start(), "Wc3d3d4e4e5")
_WALLS = draw("""
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    l l l l . . . . . .
    . . . l P . . . . .
    . . . P P . . . . .
    . . . P P . . . . .
""")

PAGE: Page = (
    "Solid (the first seat) and Striped share one 10×10 sheet and one pool of the twelve pentominoes, called by their "
    "usual letters F I L N P T U V W X Y Z. Each is used once, by whoever takes it first.",
    Heading("A turn: paint a pentomino"),
    "Take an unused pentomino, turn it and flip it as you like, and paint its five squares in your colour. They must "
    "lie on the sheet and be unpainted. A move is the letter and the squares (Wc3d3d4e4e5). Nobody passes.",
    Figure(_FIRST[0], "After Wc3d3d4e4e5. Capitals are Solid's squares, small letters are Striped's.", _FIRST[1]),
    "At the table you can also pick W, turn, flip, at c3, and paint; pool shows what is left.",
    Heading("The end and the count"),
    "The game ends when no unused pentomino fits anywhere. What is unpainted falls into territories, regions of "
    "squares connected by edges. A territory goes to the colour with more squares touching it by an edge, and scores "
    "one point for each of its squares. A square that touches it on two edges counts once.",
    Figure(
        _WALLS,
        "The corner at a1 is a territory of 9 squares. Striped touches it with a4, b4, c4 and d3; Solid with d1 and "
        "d2. So it is Striped's. d4 meets it at a corner only and does not count.",
    ),
    "The larger total wins. On equal totals compare the largest territories, then the next, and so on: the first "
    "difference wins. If there is none, it is a draw. There is no pie rule.",
    Heading("Rulings"),
    "A territory touched by equally many squares of both colours is nobody's.",
)
