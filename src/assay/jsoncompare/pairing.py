"""Two JSON documents field by field: what stands where, and into which bucket it falls.

With depth `top` the fields are the top-level keys, as documented. With depth `nested` both
documents are opened together:

- An object gives one field a key, a list one an item: `address.city`, `items[2].price` (how paths
  are written stands in `core/json_path.py`).
- Items of lists are paired by place, by likeness or by a key. A pair has the place of the ground
  truth's item; extra items are numbered on after the last of them.
- Values that are not opened are fields: text, numbers, true, false, null; an empty object or list
  beside another one; a value whose strategy was chosen; and an object or list beside a value of
  another kind.
- Beside nothing or null, all that an expected object or list holds is missing; a null where
  something is expected is no field of its own. An object or list that nobody expected gives all its
  values as extra fields; one where the ground truth says null is one field.

Nothing recurses, and time and memory grow with the size of the documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from assay.core.json_path import item, key_suffix, key_text
from assay.core.json_result import Bucket
from assay.data.json_options import FieldOptions, JsonOptions
from assay.jsoncompare.align import Identities, Pairs, by_key, by_likeness, in_order
from assay.jsoncompare.document import JsonDocument, kind_of, read_ground_truth
from assay.jsoncompare.field_patterns import Place
from assay.jsoncompare.values import (
    SAME_TEXT,
    Rules,
    alignment_of,
    field_type,
    has_same_text,
    is_null,
    order_matters,
    patterns_of,
    rules_of,
    shown,
    strategy_of,
)

ABSENT: Final = type("Absent", (), {"__repr__": lambda self: "ABSENT"})()
"""Stands for a value that is not there, which null does not."""
ALL_LISTS = 4
"""All lists of a document together may take so many times what one may."""
_NO_CHOICE = FieldOptions()
_OPEN = (dict, list)
_CLOSED = frozenset((str, int, float, bool, type(None), type(ABSENT)))
"""Types of values with nothing inside."""
_new = tuple.__new__
"""Makes a field in half of the time that its class takes, which is felt in large documents."""


class FieldPair(NamedTuple):
    """One field of both documents."""

    name: str
    gt: Any
    aio: Any
    own: FieldOptions | None
    """What was chosen for it, if anything."""
    bucket: Bucket
    strategy: str
    """Empty where nothing is compared."""
    is_same: bool
    """Whether the values are the same at first sight; others may be the same by the rules."""

    @property
    def type(self) -> str:
        """Of the ground truth's value, else of the output's."""
        return field_type(self.aio if self.gt is ABSENT else self.gt)


@dataclass(frozen=True)
class Pairing:
    """All fields of two documents in the order of the ground truth."""

    fields: tuple[FieldPair, ...]
    options: JsonOptions
    notes: tuple[str, ...] = ()
    error: str = ""
    """Why the output has no fields."""
    known: dict[tuple[int, str], Rules] = field(default_factory=dict, repr=False, compare=False)
    """Rules that were worked out before, by the id of a field's choices and the strategy."""

    @cached_property
    def buckets(self) -> dict[str, list[str]]:
        """Bucket → the names of its fields, sorted."""
        result: dict[str, list[str]] = {}
        for entry in self.fields:
            result.setdefault(entry.bucket, []).append(entry.name)
        return {bucket: sorted(names) for bucket, names in result.items()}

    def count(self, bucket: Bucket) -> int:
        """How many fields a bucket holds."""
        return self._buckets.count(bucket)

    @cached_property
    def _buckets(self) -> list[str]:
        return [entry.bucket for entry in self.fields]

    @property
    def expected(self) -> int:
        """How many fields of the ground truth hold something."""
        return self.count("both_non_null") + self.count("aio_missing_or_null")

    @property
    def invented(self) -> int:
        """How many fields hold something that nobody expected."""
        return self.count("extra_keys") + self.count("gt_null_aio_has_value")

    @cached_property
    def distinct(self) -> int:
        """How many fields there are, those left out of every score apart."""
        if self.options.ignore_scope != "all":
            return len(self.fields)
        return sum(not self.is_left_out(entry) for entry in self.fields)

    @cached_property
    def given(self) -> tuple[FieldPair, ...]:
        """The fields of the output that hold something."""
        return tuple(
            entry
            for entry in self.fields
            if entry.aio is not ABSENT and not is_null(entry.aio) and not self.is_left_out(entry)
        )

    def rules(self, entry: FieldPair, strategy: str = "") -> Rules:
        """How a field is compared, by another strategy than its own if need be."""
        key = id(entry.own), strategy or entry.strategy
        rules = self.known.get(key)
        if rules is None:
            rules = rules_of(entry.own, self.options, key[1])  # type: ignore[arg-type]
            self.known[key] = rules
        return rules

    def is_left_out(self, entry: FieldPair) -> bool:
        """Whether the options leave the field out of every score."""
        return entry.strategy == "IGNORE" and self.options.ignore_scope == "all"

    @property
    def completeness(self) -> float:
        """The share of expected fields that were delivered."""
        if self.error:
            return 0.0
        delivered = self.count("both_non_null")
        expected = delivered + self.count("aio_missing_or_null")
        return delivered / expected if expected else 1.0

    @property
    def hallucination(self) -> float:
        """The share of all fields that nobody expected."""
        return self.invented / self.distinct if self.distinct else 0.0

    @property
    def hallucination_rate_of_output(self) -> float:
        """The share of the output's own values that nobody expected."""
        unexpected = sum(entry.bucket != "both_non_null" for entry in self.given)
        return unexpected / len(self.given) if self.given else 0.0


def pair(gt: Any, output: JsonDocument, options: JsonOptions) -> Pairing:
    """The fields of a ground truth and of an output."""
    ground_truth = read_ground_truth(gt, options.depth).value
    error = _error(ground_truth, output)
    aio = output.value if not error else type(ground_truth)()
    walk = _Walk(options)
    walked = walk.nested if options.depth == "nested" else walk.top
    fields = tuple(walked(ground_truth, aio))
    return Pairing(fields, options, (*output.notes, *walk.notes), error, walk.known)


def _error(ground_truth: Any, output: JsonDocument) -> str:
    if output.problem:
        return f"the output is not JSON: {output.problem}"
    if type(output.value) is not type(ground_truth):
        return f"the output is {kind_of(output.value)}; expected {kind_of(ground_truth)}"
    return ""


Row = tuple[str, Any, Any, Place]
"""A path, what stands there in both documents, and what the patterns say of it."""


class _Walk:
    """Goes through two documents at once."""

    def __init__(self, options: JsonOptions) -> None:
        self._options = options
        self._patterns = patterns_of(options)
        self.known = self._patterns.rules
        self._leaves_out = options.ignore_scope == "all"
        self._identities = Identities()
        self._budget = ALL_LISTS * options.max_alignment
        self._cheap: list[str] = []

    def top(self, gt: dict[str, Any], aio: dict[str, Any]) -> list[FieldPair]:
        """The top-level keys."""
        rows = [(key, value, aio.get(key, ABSENT)) for key, value in gt.items()]
        rows += [(key, ABSENT, value) for key, value in aio.items() if key not in gt]
        own = self._patterns.of_key
        return [self._field(key, one, other, own(key)) for key, one, other in rows]

    def nested(self, gt: Any, aio: Any) -> list[FieldPair]:
        """All values inside objects and lists."""
        fields: list[FieldPair] = []
        opened: list[Iterator[FieldPair | Row]] = [iter((("", gt, aio, self._patterns.start),))]
        while opened:
            for row in opened[-1]:
                if row.__class__ is FieldPair:
                    fields.append(row)
                    continue
                path, one, other, place = row  # type: ignore[misc]
                is_chosen = place.own is not None and place.own.strategy
                children = None if is_chosen else self._opened(path, one, other, place)
                if children is not None:
                    opened.append(iter(children))
                    break
                fields.append(self._field(path, one, other, place.own))
            else:
                opened.pop()
        return fields

    def _opened(self, path: str, gt: Any, aio: Any, place: Place) -> list[FieldPair | Row] | None:
        """What lies inside two values; None when they are a field."""
        if isinstance(gt, _OPEN) and (aio is ABSENT or is_null(aio)):
            aio = type(gt)()
        elif gt is ABSENT and isinstance(aio, _OPEN):
            gt = type(aio)()
        if not (gt or aio):
            return None if path else []
        if isinstance(gt, dict) and isinstance(aio, dict):
            return self._keys(path, gt, aio, place)
        if isinstance(gt, list) and isinstance(aio, list):
            return self._items(path, gt, aio, place)
        return None

    def _keys(
        self, path: str, gt: dict[str, Any], aio: dict[str, Any], place: Place
    ) -> list[FieldPair | Row]:
        text = key_suffix if path else key_text
        row, get, below = self._row, aio.get, place.below.get
        keys = []
        for key, value in gt.items():
            at_key = below(key) or place.at_key(key)
            keys.append(row(path + text(key), value, get(key, ABSENT), at_key))
        if not aio.keys() <= gt.keys():
            extra = [(key, value) for key, value in aio.items() if key not in gt]
            keys += [row(path + text(k), ABSENT, value, place.at_key(k)) for k, value in extra]
        return keys

    def _items(
        self, path: str, gt: list[Any], aio: list[Any], place: Place
    ) -> list[FieldPair | Row]:
        shared = place.at_items()
        return [
            self._row(item(path, number), one, other, shared or place.at_item(number))
            for number, (one, other) in enumerate(self._side_by_side(path, gt, aio, place))
        ]

    def _row(self, name: str, gt: Any, aio: Any, place: Place) -> FieldPair | Row:
        """A field, or a row where there may be more inside."""
        kind = gt.__class__
        if (
            kind in SAME_TEXT
            and kind is aio.__class__
            and gt == aio
            and gt
            and not (kind is str and gt.isspace())
        ):
            own = place.own  # most fields are the same in both, and this is the shorter way
            strategy = own.strategy if own is not None else None
            if strategy is None:
                strategy = strategy_of(field_type(gt)) if kind is str else "EXACT"
            if strategy != "IGNORE":
                return _new(FieldPair, (name, gt, aio, own, "both_non_null", strategy, True))
        if gt.__class__ in _CLOSED and aio.__class__ in _CLOSED:
            return self._field(name, gt, aio, place.own)
        return name, gt, aio, place

    def _side_by_side(
        self, path: str, gt: list[Any], aio: list[Any], place: Place
    ) -> Iterable[tuple[Any, Any]]:
        """The items of the ground truth with their partners, then the others of the output."""
        own = place.own or _NO_CHOICE
        method = alignment_of(own, self._options)
        matters = order_matters(own, self._options)
        if method == "order" and matters:
            return zip_longest(gt, aio, fillvalue=ABSENT)
        if method == "key":
            pairs = by_key(gt, aio, own.list_key or self._options.list_key)
        elif len(gt) == len(aio) == 1:
            pairs = [(0, 0)]
        else:
            pairs = self._alike(path, gt, aio)
        return _rows(gt, aio, dict(in_order(pairs) if matters else pairs))

    def _alike(self, path: str, gt: list[Any], aio: list[Any]) -> Pairs:
        limit = min(self._options.max_alignment, self._budget)
        pairs, cells = by_likeness(gt, aio, self._identities, limit)
        if cells > limit:
            self._cheap.append(path or "the list")
        else:
            self._budget -= cells
        return pairs

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader should know about the pairs."""
        if not self._cheap:
            return ()
        more = f" and {len(self._cheap) - 1} more lists" if len(self._cheap) > 1 else ""
        return (
            f"{shown(self._cheap[0])}{more}: too many items for the best match, so equal items "
            "were paired first, then those that share rare parts, then the rest by order",
        )

    def _field(self, name: str, gt: Any, aio: Any, own: FieldOptions | None) -> FieldPair:
        strategy = (own.strategy if own is not None else None) or ""
        is_same = has_same_text(gt, aio)
        if strategy == "IGNORE" and self._leaves_out:
            return FieldPair(name, gt, aio, own, "skipped", strategy, is_same)
        if gt is ABSENT or aio is ABSENT or is_null(gt) or (not is_same and is_null(aio)):
            bucket = bucket_of(gt, aio, count_null_extras=self._options.count_null_extras)
            return FieldPair(name, gt, aio, own, bucket, "", is_same)
        if not strategy:
            strategy = strategy_of(field_type(gt))
        return _new(FieldPair, (name, gt, aio, own, "both_non_null", strategy, is_same))


def _rows(gt: list[Any], aio: list[Any], partner: dict[int, int]) -> list[tuple[Any, Any]]:
    rows = [
        (value, aio[partner[place]] if place in partner else ABSENT)
        for place, value in enumerate(gt)
    ]
    taken = set(partner.values())
    return rows + [(ABSENT, value) for place, value in enumerate(aio) if place not in taken]


def bucket_of(gt: Any, aio: Any, *, count_null_extras: bool = True) -> Bucket:
    """Where a field belongs."""
    has_output = aio is not ABSENT and not is_null(aio)
    if gt is ABSENT:
        return "extra_keys" if has_output or count_null_extras else "skipped"
    if is_null(gt):
        return "gt_null_aio_has_value" if has_output else "skipped"
    return "both_non_null" if has_output else "aio_missing_or_null"
