"""``python -m purlieu.train.quantise NET.onnx -o OUT.onnx``: a net in whole numbers of 8 bits, about twice as fast.

Needs `purlieu[train]`.
"""

from __future__ import annotations

if __name__ == "__main__":
    from purlieu.train.running.options import end_without_packages

    end_without_packages()

import argparse
import sys
from pathlib import Path

from purlieu.kit.files import require_folder
from purlieu.rules import PurlieuError

from .quantisation.quantiser import quantise
from .running.options import exit_code


def write(given: argparse.Namespace) -> None:
    """Quantise the net that was given, and say how much the two agree."""
    if given.room is not None and not 0.5 <= given.room <= 1:
        raise PurlieuError(f"--room is {given.room:g}; expected a share from 0.5 to 1, such as 0.96")
    require_folder(given.out)
    found = quantise(given.net, given.out, room=given.room)
    sys.stderr.write(
        f"{given.out}: {given.out.stat().st_size:,} bytes; the same best move in {100 * found.agreement:.0f} % "
        f"of other positions, win chance {found.win_chance:.4f} apart, margin {found.margin:.2f}\n"
    )


def main(arguments: list[str]) -> int:
    """Read the options and run it."""
    parser = argparse.ArgumentParser(prog="python -m purlieu.train.quantise", description=__doc__)
    parser.add_argument("net", type=Path, help="as `purlieu train` wrote it")
    parser.add_argument("-o", "--out", type=Path, required=True, help="where the quantised one goes")
    parser.add_argument("--room", type=float, help="the share of positions that bytes have room for [the best of five]")
    given = parser.parse_args(arguments)
    return exit_code(lambda: write(given))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
