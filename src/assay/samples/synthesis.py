"""Synthetic datasets from templates: questions, documents with questions, questions gone wrong.

The same seed gives the same samples, and the first samples of a longer dataset are those of a
shorter one. Every sample says in its metadata how it was made and what should happen. Templates
are files below `data/synthesis`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count, islice
from random import Random
from typing import Any, Literal

from assay.core import Document, Sample, UsageError
from assay.data.bundled_files import read_bundled_toml

Kind = Literal["qa", "rag", "adversarial"]
KINDS: tuple[Kind, ...] = ("qa", "rag", "adversarial")
LANGUAGES = ("en", "ar")
DISTRACTORS = 3
"""Documents of a RAG sample beside the right one."""
UNANSWERABLE = 5
"""One RAG sample in so many lacks the right document."""
TELLING = 4
"""Digits of a figure that does not come up by chance."""
Row = Mapping[str, str]


def synthesise(
    kind: Kind,
    size: int,
    seed: int = 0,
    language: str = "en",
    source: Iterable[Sample] | None = None,
) -> list[Sample]:
    """Make samples: questions and answers (`qa`), with documents (`rag`), or mutated ones.

    `adversarial` mutates the samples of a `source`, or of `qa` where none is given: each in turn
    by null, empty, truncation, typo, contradiction and long text.
    """
    if language not in LANGUAGES:
        raise UsageError(f"the language is {language!r}; expected one of {', '.join(LANGUAGES)}")
    if kind == "qa":
        return list(islice(_questions(seed, language), size))
    if kind == "rag":
        return [_rag(number, seed, language) for number in range(size)]
    given = _questions(seed, language) if source is None else iter(source)
    return list(islice(_mutated(given, seed, language), size))


def _random(*parts: object) -> Random:
    """Chance of its own for each part, the same on every machine."""
    return Random(" ".join(map(str, parts)))  # noqa: S311 -- for reproducible data, not for secrets


def _table(name: str) -> dict[str, Any]:
    return read_bundled_toml(f"synthesis/{name}.toml")


def _questions(seed: int, language: str) -> Iterator[Sample]:
    """All questions of the templates in a random order, then sums without end."""
    table = _table(f"qa.{language}")
    facts = [
        (topic, row, ask)
        for topic in table["topic"]
        for row in topic["rows"]
        for ask in topic["questions"]
    ]
    _random("qa", seed, language).shuffle(facts)
    for number, (topic, row, ask) in enumerate(facts, 1):
        yield _sample(
            f"qa-{number}",
            ask.format_map(row),
            topic["answer"].format_map(row),
            topic["statement"].format_map(row),
            language,
            topic["name"],
        )
    for number in count(len(facts) + 1):
        row = _sum(table["sums"], _random("sum", seed, language, number))
        ask = row["ask"].format_map(row)
        statement = table["sums"]["statement"].format_map(row)
        yield _sample(f"qa-{number}", ask, row["sum"], statement, language, "sum")


def _sum(sums: Mapping[str, Any], random: Random) -> Row:
    one, other = (random.randint(sums["low"], sums["high"]) for _ in range(2))
    ask = random.choice(sums["questions"])
    return {"a": str(one), "b": str(other), "sum": str(one + other), "ask": ask}


def _sample(
    id: str, query: str, expected: str, statement: str, language: str, topic: str
) -> Sample:
    return Sample(
        id=id,
        query=query,
        expected=expected,
        known_facts=(statement,),
        language=language,
        tags=("synthetic", "qa", topic),
        metadata={
            "synthetic": "qa",
            "expects": "the expected answer",
            "expected_behaviour": "answer",
            "accepted": [expected],
        },
    )


def _rag(number: int, seed: int, language: str) -> Sample:
    """A question on one of some invented documents, or on one that is not there."""
    table = _table(f"rag.{language}")
    random = _random("rag", seed, language, number)
    topic = random.choice(table["topic"])
    rows = _rows(topic["key"], table["values"], random)
    question = random.choice(topic["questions"])
    documents = [
        Document(topic["document"].format_map(row), id=f"doc-{number + 1}-{place}")
        for place, row in enumerate(rows, 1)
    ]
    right = documents[0]
    has_answer = (number + 1) % UNANSWERABLE != 0
    shown = documents if has_answer else documents[1:]
    random.shuffle(shown)
    answer = question["answer"].format_map(rows[0])
    sample = Sample(
        id=f"rag-{number + 1}",
        query=question["ask"].format_map(rows[0]),
        expected=answer if has_answer else table["unknown"],
        contexts=tuple(shown),
        language=language,
        tags=("synthetic", "rag", topic["name"], "answerable" if has_answer else "unanswerable"),
        metadata={
            "synthetic": "rag",
            "expects": "the answer of the right document"
            if has_answer
            else "says that the documents do not tell",
            "distractors": len(shown) - has_answer,
            **_behaviour(answer, has_answer=has_answer),
        },
    )
    if not has_answer:
        return sample
    return replace(sample, gold_context=right.content, expected_sources=(str(right.id),))


def _behaviour(answer: str, *, has_answer: bool) -> dict[str, Any]:
    """What `suite.behaviour` should look for; a short figure may stand in any answer by chance."""
    if has_answer:
        return {"expected_behaviour": "answer", "accepted": [answer]}
    is_telling = not answer.isdecimal() or len(answer) >= TELLING
    return {"expected_behaviour": "keep", "forbidden": [answer]} if is_telling else {}


def _rows(key: str, values: Mapping[str, Any], random: Random) -> list[Row]:
    """What the documents are about: the right one first, no two of one name or one value."""
    rows: list[dict[str, str]] = []
    while len(rows) <= DISTRACTORS:
        row = {name: _value(spec, random) for name, spec in values.items()}
        if all(row[key] != other[key] for other in rows):
            rows.append(row)
    for name in values:
        # An unanswerable question must stay so: no other document may hold the answer.
        for row in rows[1:]:
            while row[name] == rows[0][name]:
                row[name] = _value(values[name], random)
    return list(rows)


def _value(spec: Any, random: Random) -> str:
    """One of a list, a number of a range, or parts put together."""
    if isinstance(spec, list):
        return str(random.choice(spec))
    if "parts" in spec:
        return "".join(random.choice(part) for part in spec["parts"])
    return str(random.randint(spec["low"], spec["high"]))


def _mutated(source: Iterator[Sample], seed: int, language: str) -> Iterator[Sample]:
    """Each sample of the source in turn, with the next mutation that it can have."""
    table = _table("mutations")
    names = list(MUTATIONS)
    for place, sample in enumerate(source):
        query = sample.query
        if query is None:
            continue
        name = names[place % len(names)]
        if name == "contradiction" and not sample.expected:
            name = "typo"
        random = _random("mutation", seed, sample.id, name)
        own = sample.language if sample.language in LANGUAGES else language
        changed = MUTATIONS[name](sample, table[name], random, own or language)
        yield _as_mutated(sample, name, changed, table[name]["expects"])


def _as_mutated(sample: Sample, name: str, query: str, expects: str) -> Sample:
    keeps_answer = name in ("typo", "contradiction", "long_text")
    left_out = () if keeps_answer else ("accepted", "expected_behaviour")
    metadata = {key: value for key, value in sample.metadata.items() if key not in left_out}
    return replace(
        sample,
        id=f"{sample.id}/{name}",
        query=query,
        expected=sample.expected if keeps_answer else None,
        known_facts=sample.known_facts if keeps_answer else (),
        conversation=(),
        tags=tuple(dict.fromkeys((*sample.tags, "synthetic", "adversarial", name))),
        metadata={
            **metadata,
            "synthetic": "adversarial",
            "mutation": name,
            "original_id": sample.id,
            "original_query": sample.query,
            "expects": expects,
        },
    )


def _any_text(sample: Sample, table: Mapping[str, Any], random: Random, language: str) -> str:
    return str(random.choice(table["texts"]))


def _cut(sample: Sample, table: Mapping[str, Any], random: Random, language: str) -> str:
    text = sample.query or ""
    return text[: max(1, int(len(text) * random.uniform(table["shortest"], table["longest"])))]


def _typos(sample: Sample, table: Mapping[str, Any], random: Random, language: str) -> str:
    """Letters dropped, doubled or of the other case, about one in `every`; figures stay."""
    letters = list(sample.query or "")
    places = [
        place
        for place in range(len(letters) - 1)
        if letters[place].isalpha() and letters[place + 1].isalpha()
    ]
    for place in random.sample(places, min(len(places), max(1, len(letters) // table["every"]))):
        letters[place] = _misspelt(letters[place], random)
    return "".join(letters)


def _misspelt(letter: str, random: Random) -> str:
    return random.choice(("", letter * 2, letter.swapcase() if letter.isascii() else ""))


def _contradiction(sample: Sample, table: Mapping[str, Any], random: Random, language: str) -> str:
    words = {"query": sample.query, "expected": (sample.expected or "").rstrip(".")}
    return str(random.choice(table[language])).format_map(words)


def _long(sample: Sample, table: Mapping[str, Any], random: Random, language: str) -> str:
    def around(size: int) -> str:
        sentences: list[str] = []
        while sum(map(len, sentences)) < size:
            sentences.append(random.choice(table[language]))
        return " ".join(sentences)

    half = table["characters"] // 2
    return f"{around(half)} {sample.query} {around(half)}"


Mutation = Callable[[Sample, Mapping[str, Any], Random, str], str]
MUTATIONS: Mapping[str, Mutation] = {
    "null": _any_text,
    "empty": _any_text,
    "truncation": _cut,
    "typo": _typos,
    "contradiction": _contradiction,
    "long_text": _long,
}
"""What makes the new query, by the name of its table in `mutations.toml`."""
