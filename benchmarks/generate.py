"""Seeded records and texts to measure with.

Six sentences of ten are real English, out of the standard library's docstrings, the others are made
from templates; a few carry what patterns look for: refusals, addresses, citations, code. About one
text in eleven goes beyond ASCII (Arabic, curly quotes, accents).
"""

from __future__ import annotations

import inspect
import json
import re
import tomllib
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from importlib.resources import files
from itertools import chain
from random import Random
from types import ModuleType
from typing import Any

from assay.core import Document, Sample

Record = dict[str, Any]

_BEYOND_SHARE = 0.05
"""Of the spiced sentences; makes about one text in eleven go beyond ASCII."""


def records(count: int, seed: int = 7, words: int = 150) -> Iterator[Record]:
    """Questions with an answer of about so many words, a reference, documents and a duration."""
    random = Random(seed)
    for place in range(count):
        contexts = [_sentences(random, words * 3 // 4, 0.0) for _ in range(random.randint(3, 5))]
        yield _record(random, place, list(chain.from_iterable(contexts)), words) | {
            "contexts": [" ".join(sentences) for sentences in contexts]
        }


def rag_records(count: int, seed: int = 7) -> Iterator[Record]:
    """Questions with four contexts of about 150 words, an answer of about 60 and a reference."""
    random = Random(seed)
    for place in range(count):
        contexts = [_sentences(random, 150, 0.0) for _ in range(4)]
        yield _record(random, place, list(chain.from_iterable(contexts)), 60) | {
            "contexts": [" ".join(sentences) for sentences in contexts]
        }


def passage_records(
    count: int, seed: int = 7, words: int = 18, passage: int = 55
) -> Iterator[Record]:
    """Questions with one context of so many words and an answer of a sentence or two."""
    random = Random(seed)
    for place in range(count):
        context = _sentences(random, passage, 0.0)
        made = _record(random, place, context, words)
        yield {name: made[name] for name in ("id", "query", "response")} | {
            "contexts": [" ".join(context)]
        }


def small_records(count: int, seed: int = 7) -> Iterator[Record]:
    """Records of a sentence or two without documents, out of five hundred different ones."""
    random = Random(seed)
    kinds = [_record(random, 0, [_sentence(random) for _ in range(4)], 12) for _ in range(500)]
    for place in range(count):
        yield kinds[place % len(kinds)] | {"id": str(place)}


def arabic_records(count: int, seed: int = 7) -> Iterator[Record]:
    """Records in Arabic, with vowel marks, stretched letters, Arabic digits and some English."""
    random = Random(seed)
    for place in range(count):
        answer = [_pick(random, "arabic") for _ in range(random.randint(1, 12))]
        yield {
            "id": str(place),
            "query": _pick(random, "arabic").replace(".", "؟"),
            "response": " ".join(answer),
            "expected": " ".join(answer[::2]),
            "duration": random.uniform(0.1, 12.0),
        }


def chat_records(
    count: int, seed: int = 7, make: Callable[[int, int], Iterator[Record]] = records
) -> Iterator[Record]:
    """The same records with what the rules of the chat family read besides.

    One query in ten attacks, one answer in four has a form of its own (steps, list, JSON for a
    schema), one record in four tells of tools, one in five has several answers.
    """
    random = Random(seed)
    for record in make(count, seed):
        found = record | _contexts(random, record) | _times(random)
        found["response"] = _formed(random, record["response"])
        if random.random() < 0.10:
            found["query"] += f" {_pick(random, 'attacks')}"
        if random.random() < 0.25:
            found |= _agent(random)
        if random.random() < 0.20:
            others = (record["expected"], found["response"], found["response"])
            found["responses"] = random.choices(others, k=random.randint(2, 5))
        if random.random() < 0.08:
            found |= _json_answer(random)
        elif random.random() < 0.03:
            found["expected"] = f" {found['response'].upper()}"
        yield found


def samples(found: Iterator[Record]) -> list[Sample]:
    """The records as samples."""
    return [sample(record) for record in found]


def sample(record: Record) -> Sample:
    """A record as a sample."""
    contexts = [c if isinstance(c, dict) else {"content": c} for c in record.get("contexts", ())]
    fields = {key: tuple(v) if isinstance(v, list) else v for key, v in record.items()}
    return Sample(**fields | {"contexts": tuple(Document(**context) for context in contexts)})


def texts(count: int, seed: int = 11, words: int = 150) -> list[str]:
    """Answers alone, with more to find in them."""
    random = Random(seed)
    return [" ".join(_sentences(random, words, 0.12)) for _ in range(count)]


def _record(random: Random, place: int, known: list[str], words: int) -> Record:
    """An answer drawn from known sentences, other ones and spice."""
    wanted = min(words * 3, max(words / 3, words * random.lognormvariate(0.0, 0.5)))
    answer: list[str] = []
    while _word_count(answer) < wanted:
        kind = random.random()
        if kind < 0.55:
            answer.append(_perturbed(random, random.choice(known)))
        else:
            answer.append(_spice(random) if kind < 0.70 else _sentence(random))
    half = answer[: max(2, len(answer) // 2)]
    reference = [
        _perturbed(random, s) if random.random() < 0.7 else _sentence(random) for s in half
    ]
    return {
        "id": str(place),
        "query": f"How does {_sentence(random).rstrip('.').lower()}?",
        "response": " ".join(answer),
        "expected": " ".join(reference),
        "duration": random.uniform(0.1, 12.0),
    }


def _contexts(random: Random, record: Record) -> Record:
    """The documents with ids and the names of files."""
    given = record.get("contexts") or [record["expected"], record["response"]]
    return {
        "contexts": [
            {"content": content, "id": f"doc-{place}", "source": _pick(random, "sources")}
            for place, content in enumerate(given, 1)
        ]
    }


def _times(random: Random) -> Record:
    """The time of the first token and the number of tokens, where they are known."""
    found: Record = {}
    if random.random() < 0.7:
        found["first_token_time"] = random.uniform(0.05, 2.0)
    if random.random() < 0.5:
        found["response_tokens"] = random.randint(0, 400)
    return found


def _formed(random: Random, response: str) -> str:
    """The answer with findings and citations here and there, as text, steps or list."""
    parts = re.split(r"(?<=[.!?؟]) ", response)
    for place in range(len(parts)):
        if random.random() < 0.05:
            parts[place] = _pick(random, "findings")
        if random.random() < 0.05:
            parts[place] += random.choice((" [1]", "[2]", " [1, 3]", " [9]", " (doc-2)"))
    form = random.random()
    if form < 0.10:
        return " ".join(f"Step {place}: {part}" for place, part in enumerate(parts, 1))
    if form < 0.20:
        return "\n".join(f"- {part}" for part in parts)
    return " ".join(parts)


def _json_answer(random: Random) -> Record:
    """An answer in JSON and the schema that it should obey; one in two does."""
    answer: Record = {
        "answer": _sentence(random),
        "confidence": round(random.random(), 2),
        "language": "en",
        "sources": [random.randint(1, 5) for _ in range(random.randint(0, 3))],
    }
    kind = random.randrange(8)
    if kind == 0:
        del answer["answer"], answer["confidence"]
    elif kind == 1:
        answer |= {"confidence": 17, "language": "English"}
    elif kind == 2:
        answer |= {"sources": ["one", 2, "three"]}
    text = json.dumps(answer, indent=random.choice((None, 2)))
    if kind == 3:
        text = f"Here it is: {text}"
    return {"response": text, "schema": _SCHEMA}


_SCHEMA: Record = {
    "type": "object",
    "required": ["answer", "confidence", "language"],
    "properties": {
        "answer": {"type": "string"},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "language": {"type": "string", "enum": ["ar", "en"]},
        "sources": {"type": "array", "items": {"type": "integer"}},
    },
}


def _agent(random: Random) -> Record:
    """What an agent did and what it should have done."""
    made = [_call(random) for _ in range(random.randint(1, 4))]
    wanted = [
        call if random.random() < 0.7 else _call(random)
        for call in random.sample(made, len(made))[random.randint(0, 1) :]
    ]
    names = [call["name"] for call in made]
    found: Record = {
        "task_completed": random.random() < 0.8,
        "expected_steps": random.randint(1, 6),
        "steps_taken": random.randint(0, 8),
        "errors_encountered": random.choice((0, 0, 1, 3)),
        "tools_used": names,
        "tools_succeeded": [name for name in names if random.random() < 0.8],
        "tool_calls": [call | {"success": random.random() < 0.9} for call in made],
    }
    return found | ({"expected_tool_calls": wanted} if random.random() < 0.7 else {})


def _call(random: Random) -> Record:
    """One call of a tool; numbers may be written as text, arguments as JSON."""
    arguments: Record = {"query": _pick(random, "subjects"), "limit": random.randint(1, 3)}
    if random.random() < 0.3:
        arguments["limit"] = str(arguments["limit"])
    is_text = random.random() < 0.3
    return {
        "name": random.choice(("search", "calculator", "mail")),
        "arguments": json.dumps(arguments) if is_text else arguments,
    }


def _sentences(random: Random, words: int, spice: float) -> list[str]:
    """Sentences of so many words together, give or take a fifth."""
    wanted = random.uniform(words * 0.8, words * 1.2)
    found: list[str] = []
    while _word_count(found) < wanted:
        found.append(_spice(random) if random.random() < spice else _sentence(random))
    return found


def _sentence(random: Random) -> str:
    if random.random() < 0.6:
        return random.choice(_corpus())
    parts = [
        _pick(random, "subjects"),
        _pick(random, "verbs"),
        _pick(random, "objects"),
    ]
    if random.random() < 0.6:
        parts.append(_pick(random, "tails"))
    said = " ".join(parts)
    return f"{said[0].upper()}{said[1:]}."


def _spice(random: Random) -> str:
    kind = "beyond_ascii" if random.random() < _BEYOND_SHARE else "spice"
    return _pick(random, kind)


def _pick(random: Random, kind: str) -> str:
    """One of the listed pieces, its blanks filled in."""
    number, four = str(random.randrange(255)), f"{random.randrange(10_000):04d}"
    piece = random.choice(_lists()[kind])
    return piece.replace("{number}", number).replace("{four}", four)


def _perturbed(random: Random, sentence: str) -> str:
    """The sentence as it is, or with one word left out, put in or exchanged."""
    words = sentence.split()
    place = random.randrange(len(words))
    kind = random.random()
    if kind < 0.4:
        return sentence
    if kind < 0.7 and len(words) > 4:
        del words[place]
    elif kind < 0.9:
        words.insert(place, random.choice(("really", "usually", "often", "not", "always")))
    else:
        words[place] = random.choice(("value", "system", "result", "option"))
    return " ".join(words)


def _word_count(sentences: list[str]) -> int:
    return sum(sentence.count(" ") + 1 for sentence in sentences)


@cache
def _lists() -> dict[str, list[str]]:
    """What `sentences.toml` says."""
    return tomllib.loads((files(__package__) / "sentences.toml").read_text(encoding="utf-8"))


@cache
def _corpus() -> tuple[str, ...]:
    """Whole English ASCII sentences of the standard library's docstrings, each once."""
    found: dict[str, None] = {}
    with warnings.catch_warnings(action="ignore"):  # of things that will go, not of ours
        modules = [import_module(name) for name in _lists()["modules"]]
        docstrings = list(chain.from_iterable(map(_docstrings, modules)))
    for docstring in docstrings:
        for piece in re.split(r"(?<=[.!?])\s+|\n\s*\n", docstring):
            sentence = " ".join(piece.split())
            is_whole = sentence[:1].isupper() and sentence[-1:] in (".", "!", "?")
            if is_whole and sentence.isascii() and 5 <= sentence.count(" ") <= 30:
                found[sentence] = None
    return tuple(found)


def _docstrings(module: ModuleType) -> Iterator[str]:
    """The docstrings of a module, its functions and its classes with their methods."""
    for thing in (module, *_members(module)):
        for part in (thing, *(_members(thing) if inspect.isclass(thing) else ())):
            if isinstance(found := getattr(part, "__doc__", None), str):
                yield found


def _members(thing: Any) -> list[Any]:
    found = sorted(vars(thing).items(), key=lambda member: member[0])
    return [value for _, value in found if inspect.isclass(value) or inspect.isroutine(value)]
