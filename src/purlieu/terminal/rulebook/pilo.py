"""Pilo's page."""

from purlieu.rules.pilo import draw

from .page import Figure, Heading, Page, played, refused

_BEFORE = draw("""
    . . o1 . .
    . . . . .
    b1 . b1 . o1
    . . . . .
    . . o2 . .
""")
_AFTER = played(_BEFORE, "c3xe3")
_UNEQUAL = draw("""
    . . . .
    b1 . b2 o1
    . . . .
    . . . .
""")

PAGE: Page = (
    "Pilo is Petrify with stacks. Blue (the first seat) begins. Placing, passing, the count, the tie and the pie rule "
    "are Petrify's: see purlieu rules petrify. What differs is the capture.",
    Heading("A turn: place or capture"),
    "Place a disk on any empty square (c3); it is a stack of height 1. Or capture: choose one of your stacks and one "
    "of the four orthogonal directions. It travels over empty squares and over your own stacks of any height; the "
    "first other thing on its way must be an enemy stack of the same height. It takes that stack's place, grows one "
    "disk higher, and leaves a block on the square it came from (c3xe3).",
    Figure(
        _BEFORE,
        "Blue to move. The number is the height. c3 may take c5 or e3; a3 may take e3 too, over its friend on c3. "
        "c1 is too high for c3.",
    ),
    Figure(_AFTER[0], "After c3xe3: the blue stack on e3 has height 2, and a block stands on c3.", _AFTER[1]),
    Figure(
        _UNEQUAL,
        "c3xd3 is refused: the heights differ. a3xd3 is legal, over the friend of height 2.",
        refused(_UNEQUAL, "c3xd3"),
    ),
    "Any block is allowed: there are no mounds and no barricades here.",
    Heading("The end and the count"),
    "Two passes in a row end the game. Patches, groups, striking out pairs and owners are as in Petrify. Sizes count "
    "squares, not disks: height matters for capturing only. A tie goes against the side that made the last board play.",
    Heading("The pie rule"),
    "On its first turn, and only then, the second seat may swap instead of playing: the seats exchange colours.",
    Heading("Rulings"),
    "After a swap the first seat moves, now as Orange. A patch where every group was struck out is nobody's.",
    "Boards of 6×6 to 10×10 are recommended; purlieu takes 3×3 and up for study.",
)
