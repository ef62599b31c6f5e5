"""Nets that judge positions: read from ONNX files, run by onnxruntime on the processor.

Needs ``pip install 'purlieu[net]'``; without it, or without a net for a game, the search by playouts plays on.
"""

from .net import Judgement as Judgement
from .net import Net as Net
from .net import load as load
from .shape import Shape as Shape
from .shipped import net_for as net_for
