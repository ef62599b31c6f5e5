"""Diagrams: a position as SVG or PNG. It reads the rules' values and knows no rule itself."""

from .diagram import svg as svg
from .raster import png as png
from .sheet import pentomino_svg as pentomino_svg
from .theme import THEMES as THEMES
