"""The native core: boards, playouts, search and self-play in C++, as Python sees it.

The compiled module is loaded when somebody first calls `core()`.
"""

from .native import Proven as Proven
from .native import core as core
from .native import core_name as core_name
from .native import rules_position as rules_position
from .native import within_means as within_means
