"""How much of an ONNX file is something else than weights, told by its bytes before anything parses them.

Weights are long strings of bytes and take no more room in memory than in the file. An empty node has two bytes in the
file and hundreds in memory, and so it is with all else that a file can list.
"""

from __future__ import annotations

NUMBERS: tuple[int, ...] = (7, 5, 9)
"""Fields: a model's graph, its initializers, and of each what `raw_data` holds."""


def beside_weights(data: bytes, most: int) -> int:
    """The bytes that are not numbers of weights; beyond `most` it stops to count.

    Raises IndexError or ValueError where the bytes are no protocol buffer.
    """
    found = 0
    parts = [(0, len(data), NUMBERS)]
    while parts:
        at, end, (wanted, *further) = parts.pop()
        while at < end and found <= most:
            begun = at
            tag, at = _number(data, at)
            match tag & 7:
                case 0:
                    _, at = _number(data, at)
                case 1:
                    at += 8
                case 2:
                    length, at = _number(data, at)
                    if tag >> 3 == wanted:
                        found -= length  # its parts are counted on their own, and numbers not at all
                        if further:
                            parts.append((at, at + length, tuple(further)))
                    at += length
                case 5:
                    at += 4
                case _:
                    raise ValueError("a field of no known kind")
            if at > end:
                raise ValueError("a field that is longer than what it is part of")
            found += at - begun
    return found


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A whole number, seven bits a byte, and where it ends."""
    found = 0
    for shift in range(0, 70, 7):
        found |= (data[at] & 127) << shift
        at += 1
        if data[at - 1] < 128:
            return found, at
    raise ValueError("a number of more than ten bytes")
