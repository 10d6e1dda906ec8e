"""Ordinary texts of many kinds, for fitting: captions, letters, talk, encyclopedias, news, replies.

Models of what is hostile or harmful learn the kinds of text in which they see it. Beside texts of
all kinds that are neither, they learn what it says.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from training.records import read_records

SEED = 20261118
EACH = 100
"""Texts of one source at most."""
LONG = 1500
"""Texts that are put together out of several."""
PARTS = (2, 14)
"""Of how many."""
LEAST = 12
"""Characters of a text."""
TALK = ("convabuse", "diasafety")
"""Sources of turns of talk; those that people cleared are read."""


def ordinary_texts(data: Path) -> list[str]:
    """Sentences and passages of all sources, and longer texts that are made of several."""
    chosen = random.Random(SEED)
    sources = _sources(data)
    texts: list[str] = []
    for source in sorted(sources):
        texts += chosen.sample(sources[source], min(EACH, len(sources[source])))
    joints = ("\n", " ", " \n ")
    names = sorted(sources)
    for _ in range(LONG):
        own = sources[chosen.choice(names)]
        parts = chosen.sample(own, min(len(own), chosen.randint(*PARTS)))
        texts.append(chosen.choice(joints).join(parts))
    return list(dict.fromkeys(texts))


def _sources(data: Path) -> dict[str, list[str]]:
    """Source → its distinct texts, in the order of the files."""
    sources: dict[str, dict[str, None]] = {}
    for record in read_records(data, "support"):
        for field in ("a", "b"):
            _add(sources, f"{record['source']}-{field}", record[field])
    for record in read_records(data, "correctness"):
        _add(sources, f"{record['source']}-response", record["response"])
    for record in read_records(data, "toxicity"):
        if record["source"] in TALK and record["label"] == 0:
            _add(sources, record["source"], record["text"])
    return {source: [*texts] for source, texts in sources.items()}


def _add(sources: dict[str, dict[str, None]], source: str, text: Any) -> None:
    if isinstance(text, str) and len(text) >= LEAST:
        sources.setdefault(source, {})[text] = None
