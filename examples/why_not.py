"""Ask why a move is illegal, and where to look: the rule, the sentence, the squares."""

import purlieu
from purlieu.rules import petrify

position = petrify.draw("""
    . . o .
    . . . .
    . . . .
    . # b .
""")
refusal = position.explain("c1xc4")
assert refusal is not None
print(refusal.rule.name, "-", refusal.message)
print("look at:", ", ".join(map(str, refusal.squares)))

try:
    position.play("c9x")
except purlieu.BadNotation as error:
    print(error)
