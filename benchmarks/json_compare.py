"""Speed of the JSON comparison beside DeepDiff and a peer's scorer, and a very large pair.

`python -m benchmarks.json_compare FIELDS` compares one pair of that size and prints what it took.
"""

from __future__ import annotations

import copy
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from random import Random
from typing import Any, NamedTuple

from assay.data.json_options import JsonOptions
from assay.runner.json_calls import compare_json
from benchmarks.measure import Row, Section, Sizes, all_of, at_least, at_most, child, medians

GOAL = 1.0
"""Times the others' speed: ahead of both."""
SECONDS = 10
"""CPU seconds that a pair with 100,000 fields may take."""
GROWTH = 1.5
"""How much more time and memory a field may take in a document ten times as large."""
TEXTS = ("name", "street", "city", "note", "tags[*]", "lines[*].label", "lines[*].remark")
"""The fields that hold words; the others go by their types, which is EXACT."""
_WORDS = ("blue", "north", "steel", "market", "garden", "seven", "paper", "river", "window", "salt")

Document = dict[str, Any]


class Pair(NamedTuple):
    """A ground truth and an output."""

    gt: Document
    aio: Document


class Task(NamedTuple):
    """A way to compare, under the name that the table shows."""

    title: str
    compare: Callable[[Document, Document], object]


def json_compare(sizes: Sizes) -> Section:
    """Fields a second on the same documents, then the large pair."""
    found = pairs(sizes.texts)
    fields = sum(len(compare(*pair, "EXACT").field_scores) for pair in found)
    tasks = {
        "exact": Task("`compare_json`, texts EXACT", lambda gt, aio: compare(gt, aio, "EXACT")),
        "fuzzy": Task("`compare_json`, texts FUZZY", lambda gt, aio: compare(gt, aio, "FUZZY")),
        "written": Task("… FUZZY, every field written out", _written),
        "deepdiff": Task("`deepdiff.DeepDiff`", _deepdiff()),
        "autoevals": Task("`autoevals.JSONDiff`", _autoevals()),
    }
    taken = medians(
        {name: partial(_all, task.compare, found) for name, task in tasks.items()},
        sizes.rounds,
    )
    rate = {name: fields / seconds for name, seconds in taken.items()}
    return Section(
        "JSON comparison",
        f"{len(found)} pairs of documents with {fields // len(found)} fields on average (texts, "
        "numbers, dates, a list of objects), of which about one in six differs; no model is asked. "
        "Ours compares every field and gives the scores of the document, safety included; each "
        "field's strategy, score and sentence are written out when they are read, which is the "
        "third row. `DeepDiff` gives what differs, `JSONDiff` one number. The large pair is "
        "compared and written out in a process of its own, reading the texts included.",
        [
            *(Row(task.title, f"{rate[name]:,.0f} fields/s") for name, task in tasks.items()),
            *(
                at_least(
                    f"Speed-up of {own.upper()} over {other}",
                    rate[own] / rate[other],
                    GOAL,
                    "times",
                )
                for own in ("exact", "fuzzy")
                for other in ("deepdiff", "autoevals")
            ),
            *(
                Row(
                    f"Speed-up of FUZZY, written out, over {other}",
                    f"{rate['written'] / rate[other]:.3g} times",
                )
                for other in ("deepdiff", "autoevals")
            ),
            _agreement(found),
            *_large(sizes.overhead * 5),
        ],
    )


def compare(gt: Document, aio: Document, strategy: str) -> Any:
    """Our comparison of all that lies in two documents, with one strategy for texts."""
    return compare_json(gt, aio, options=_options(strategy))


@cache
def _options(strategy: str) -> JsonOptions:
    return JsonOptions(dict.fromkeys(TEXTS, strategy), depth="nested")


def _deepdiff() -> Callable[[Document, Document], Mapping[str, Any]]:
    from deepdiff import DeepDiff

    return lambda gt, aio: DeepDiff(gt, aio)


def _autoevals() -> Callable[[Document, Document], object]:
    from autoevals import JSONDiff

    scorer = JSONDiff()
    return lambda gt, aio: scorer.eval(aio, gt)


def _all(compare: Callable[[Document, Document], object], found: list[Pair]) -> None:
    for pair in found:
        compare(*pair)


def _written(gt: Document, aio: Document) -> object:
    return compare(gt, aio, "FUZZY").breakdown


def _agreement(found: list[Pair]) -> Row:
    deepdiff = _deepdiff()
    same = sum(
        len(_differing(compare(*pair, "EXACT"))) == sum(map(len, deepdiff(*pair).values()))
        for pair in found
    )
    return all_of("As many differences as DeepDiff finds", same, len(found), "pairs")


def _differing(comparison: Any) -> list[str]:
    return [f.field_name for f in comparison.field_scores if f.score != 1.0]


def pairs(count: int, seed: int = 7, lines: int = 8) -> list[Pair]:
    """Ground truths and outputs that differ from them here and there."""
    return list(_pairs(Random(seed), count, lines))


def _pairs(random: Random, count: int, lines: int) -> Iterator[Pair]:
    for _ in range(count):
        gt = _document(random, lines)
        yield Pair(gt, _altered(random, gt))


def _document(random: Random, lines: int) -> Document:
    def words(least: int, most: int) -> str:
        return " ".join(random.choices(_WORDS, k=random.randint(least, most)))

    return {
        "id": random.randrange(10**6),
        "name": words(2, 3),
        "street": words(2, 4),
        "city": words(1, 2),
        "note": words(8, 20),
        "email": f"{random.choice(_WORDS)}@example.com",
        "date": f"2024-0{random.randint(1, 9)}-1{random.randint(0, 9)}",
        "paid": random.random() < 0.5,
        "tags": [words(1, 1) for _ in range(3)],
        "lines": [
            {
                "label": words(2, 4),
                "remark": words(6, 9),
                "price": round(random.uniform(1, 500), 2),
                "amount": random.randint(1, 20),
            }
            for _ in range(lines)
        ],
    }


def _altered(random: Random, gt: Document) -> Document:
    """A copy in which about one field in six is another, and here and there one is gone or new."""
    aio: Document = copy.deepcopy(gt)
    for holder in (aio, *aio["lines"]):
        for key, value in list(holder.items()):
            if isinstance(value, list) or random.random() > 1 / 6:
                continue
            if random.random() < 0.1:
                del holder[key]
            else:
                holder[key] = _another(random, value)
        if random.random() < 0.05:
            holder["extra"] = "more"
    return aio


def _another(random: Random, value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + random.randint(1, 9)
    place = random.randrange(len(value))
    return f"{value[:place]}#{value[place + 1 :]}"


def _large(fields: int) -> list[Row]:
    """Time and memory of a large pair, and how both grow from one of a tenth of its size."""
    command = (sys.executable, "-m", "benchmarks.json_compare")
    base, small, large = (
        child(*command, str(count), has_output=True) for count in (4, fields // 10, fields)
    )
    found: Any = [run.output for run in (small, large)]
    memory = [max(run.peak_mib - base.peak_mib, 0.1) for run in (small, large)]
    per_mib = [used / done["mib"] for used, done in zip(memory, found, strict=True)]
    per_field = [done["seconds"] / done["fields"] for done in found]
    size = f"{found[1]['fields']:,} fields, {found[1]['mib']:.1f} MiB of text in both documents"
    return [
        at_most(f"Large pair: {size}", found[1]["seconds"], SECONDS, "s"),
        at_most(
            "Time a field, against a tenth of the size",
            per_field[1] / per_field[0],
            GROWTH,
            "times",
        ),
        Row(
            "Memory above that of a tiny pair",
            f"{memory[1]:.0f} MiB, {per_mib[1]:.1f} times the texts",
        ),
        at_most(
            "Memory a MiB, against a tenth of the size", per_mib[1] / per_mib[0], GROWTH, "times"
        ),
    ]


def main() -> None:
    """Compare one pair of about so many fields, and print its size and the CPU time."""
    (gt, aio) = pairs(1, lines=max(1, int(sys.argv[1]) // 4))[0]
    texts = json.dumps(gt), json.dumps(aio)
    del gt, aio
    began = time.process_time()
    fields = len(compare_json(*texts, options=_options("EXACT")).field_scores)
    done = {
        "seconds": time.process_time() - began,
        "fields": fields,
        "mib": sum(map(len, texts)) / 2**20,
    }
    print(json.dumps(done))


if __name__ == "__main__":
    main()
