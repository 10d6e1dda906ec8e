"""The fault server and its shapes, for tests of everything that talks to others."""

from tests.faults import breaks, floods, refusals, right, stalls  # noqa: F401 -- each enters its shapes
from tests.faults.server import FaultServer, Seen
from tests.faults.shapes import SHAPES, Shape


def fault_server() -> FaultServer:
    """A server that plays all shapes; end it with `stop()`."""
    unread = frozenset(name for name, shape in SHAPES.items() if shape.is_unread)
    return FaultServer({name: shape.play for name, shape in SHAPES.items()}, unread=unread)


__all__ = ["SHAPES", "FaultServer", "Seen", "Shape", "fault_server"]
