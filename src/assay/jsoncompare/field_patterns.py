"""Which of a team's choices hold for a field.

Patterns are kept as a tree of steps, so that a walk through a document carries the few places of
the tree that it may still reach, and pays nothing where there are no patterns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.core.json_path import Step, Wildcard, key_text, parse_path
from assay.data.json_options import FieldOptions

if TYPE_CHECKING:
    from assay.jsoncompare.values import Rules


@dataclass(slots=True, eq=False)
class Node:
    """A place in the tree of patterns."""

    below: dict[Step, Node] = field(default_factory=dict)
    options: FieldOptions | None = None


Nodes = tuple[Node, ...]
"""The places of the tree that a path has reached: patterns with fewer stars first."""


def step_into(nodes: Nodes, step: Step, wild: Wildcard) -> Nodes:
    """The places reached by one more step of a path."""
    if not nodes:
        return nodes
    exact = [node.below[step] for node in nodes if step in node.below]
    starred = [node.below[wild] for node in nodes if wild in node.below and wild is not step]
    return (*exact, *starred)


def chosen(nodes: Nodes) -> FieldOptions | None:
    """The choices at the end of a path."""
    for node in nodes:
        if node.options is not None:
            return node.options
    return None


class Place:
    """What the patterns say of a path, and of the paths that lead on from it.

    Paths of which the patterns say the same share a place: there are not more than patterns allow.
    """

    __slots__ = ("_has_places", "_known", "below", "nodes", "own")

    def __init__(self, nodes: Nodes, known: dict[Nodes, Place]) -> None:
        self.nodes = nodes
        self.own = chosen(nodes)
        self._known = known
        self.below: dict[Step, Place] = {}
        """The places behind keys that were asked for, as far as there is room."""
        self._has_places = any(isinstance(step, int) for node in nodes for step in node.below)

    def at_key(self, key: str) -> Place:
        """The place one key further on."""
        if not self.nodes:
            return self
        place = self.below.get(key)
        if place is None:
            place = self._after(key, Wildcard.KEY)
            if len(self.below) < MAX_KEPT and len(key) < MAX_KEPT:
                self.below[key] = place
        return place

    def at_items(self) -> Place | None:
        """The place one item further on, where it is the same for all of them."""
        if self._has_places:
            return None
        place = self.below.get(Wildcard.PLACE)
        if place is None:
            place = self.below[Wildcard.PLACE] = self._after(Wildcard.PLACE, Wildcard.PLACE)
        return place

    def at_item(self, number: int) -> Place:
        """The place one item further on."""
        return self._after(number, Wildcard.PLACE)

    def _after(self, step: Step, wild: Wildcard) -> Place:
        nodes = step_into(self.nodes, step, wild)
        if not nodes:
            return NO_PATTERN
        place = self._known.get(nodes)
        return place or self._known.setdefault(nodes, Place(nodes, self._known))


MAX_KEPT = 1000
"""So many keys of one place are remembered, and none that is longer."""
NO_PATTERN = Place((), {})
"""Where no pattern leads."""


class Patterns:
    """The choices by path pattern; the pattern with the fewest stars wins."""

    def __init__(self, strategies: Mapping[str, FieldOptions]) -> None:
        self._by_text = strategies
        root = Node()
        for text, options in strategies.items():
            node = root
            for step in parse_path(text):
                node = node.below.setdefault(step, Node())
            node.options = options
        self.root: Nodes = (root,) if strategies else ()
        self.start = Place(self.root, {}) if strategies else NO_PATTERN
        self.rules: dict[tuple[int, str], Rules] = {}
        """How fields with these choices are compared, by the choices' id and the strategy."""

    def of_key(self, key: str) -> FieldOptions | None:
        """The choices for a top-level key, whose name may look like a path."""
        if not self._by_text:
            return None
        own = self._by_text.get(key_text(key)) or self._by_text.get(key)
        return own or chosen(step_into(self.root, key, Wildcard.KEY))

    def of(self, path: str) -> FieldOptions | None:
        """The choices for a field, given by its key or path."""
        if own := self.of_key(path):
            return own
        try:
            steps = parse_path(path)
        except ValueError:
            return None
        nodes = self.root
        for step in steps:
            nodes = step_into(
                nodes, step, Wildcard.KEY if isinstance(step, str) else Wildcard.PLACE
            )
        return chosen(nodes)
