"""What records say beside texts: times, tools, schemas, repeated answers."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

from assay.core import Document, Result, Sample, Span
from benchmarks import naive
from benchmarks.naive_chat.reading import Rule, needs

Path = tuple[str | int, ...]
"""Keys from the whole JSON value to a part of it."""


@needs("duration")
def e2e_latency(sample: Sample) -> Result:
    """Milliseconds of the whole answer."""
    value = 1000.0 * sample.duration
    return Result(value, f"The answer took {value:.6g} ms.")


@needs("first_token_time")
def ttft(sample: Sample) -> Result:
    """Milliseconds until the first token."""
    value = 1000.0 * sample.first_token_time
    return Result(value, f"The first token came after {value:.6g} ms.")


def _tokens(sample: Sample) -> int:
    """The tokens as given, else as estimated by length."""
    if sample.response_tokens is not None:
        return sample.response_tokens
    return 0 if sample.response is None else max(1, int(len(sample.response) / 3.5))


@needs("duration")
def throughput(sample: Sample) -> Result:
    """Tokens a second."""
    tokens = _tokens(sample)
    if not tokens or not sample.duration:
        return Result.missing("The sample has no tokens or no time to divide them by.")
    value, said = tokens / sample.duration, f"{tokens} tokens in {sample.duration:.6g} s."
    return Result.imputed(value, said) if sample.response_tokens is None else Result(value, said)


@needs("duration")
def token_latency(sample: Sample) -> Result:
    """Milliseconds a token."""
    tokens = _tokens(sample)
    if not tokens or not sample.duration:
        return Result.missing("The sample has no time or no tokens to divide it by.")
    value, said = sample.duration / tokens * 1000, f"{sample.duration:.6g} s for {tokens} tokens."
    return Result.imputed(value, said) if sample.response_tokens is None else Result(value, said)


@needs("task_completed")
def task_completion(sample: Sample) -> Result:
    """Whether the task was completed."""
    said = "was" if sample.task_completed else "was not"
    return Result(100.0 * sample.task_completed, f"The task {said} completed.")


@needs("errors_encountered", "task_completed")
def error_recovery(sample: Sample) -> Result:
    """Whether the task was completed in spite of errors."""
    is_well = not sample.errors_encountered or sample.task_completed
    return Result(100.0 * is_well, f"There were {sample.errors_encountered} errors.")


@needs("expected_steps", "steps_taken")
def step_efficiency(sample: Sample) -> Result:
    """Steps expected over steps taken."""
    taken, expected = sample.steps_taken, sample.expected_steps
    value = min(100.0, 100.0 * expected / taken) if taken else 0.0
    return Result(value, f"{taken} steps were taken where {expected} were expected.")


def tool_usage_accuracy(sample: Sample) -> Result:
    """Distinct tools that succeeded over uses of tools."""
    used, succeeded = sample.tools_used, sample.tools_succeeded
    if used is None or succeeded is None:
        return Result.missing("The sample does not say which tools were used.")
    if not used:
        return Result.imputed(0.0, "No tool was used.")
    good = set(used) & set(succeeded)
    failed = [n for n, tool in enumerate(used) if tool and tool not in good]
    return Result(
        100.0 * len(good) / len(used),
        f"{len(good)} distinct tools succeeded in {len(used)} uses of tools.",
        tuple(Span(f"tools_used[{n}]", 0, len(used[n]), "did not succeed") for n in failed),
    ).limited()


def tool_usage_accuracy_calls(sample: Sample) -> Result:
    """How well the calls that were made fit those that were expected, in the best order."""
    made, wanted = sample.tool_calls, sample.expected_tool_calls
    if made is None:
        return Result.missing("The sample has no 'tool_calls'.")
    if wanted is None:
        known = [call["success"] for call in made if "success" in call]
        if not known:
            return Result.missing("No call tells its end.")
        return Result(100.0 * sum(known) / len(known), f"{sum(known)} calls succeeded.")
    most = max(len(made), len(wanted))
    if not most:
        return Result(100.0, "No call was expected and none was made.")
    padded = [*made, *[None] * (most - len(made))]
    best = max(
        sum(_fit(one, other) for one, other in zip(order, wanted, strict=False))
        for order in permutations(padded)
    )
    return Result(min(100.0, 100.0 * best / most), f"{best:.3g} of {len(wanted)} calls fit.")


def _fit(made: Mapping[str, Any] | None, wanted: Mapping[str, Any]) -> float:
    """The share of arguments that are equal; 0 for another tool or a failed call."""
    if made is None or made["name"] != wanted["name"] or made.get("success") is False:
        return 0.0
    given, asked = _arguments(made), _arguments(wanted)
    keys = given.keys() | asked.keys()
    same = sum(
        key in given and key in asked and _plain(given[key]) == _plain(asked[key]) for key in keys
    )
    return same / len(keys) if keys else 1.0


def _arguments(call: Mapping[str, Any]) -> dict[str, Any]:
    found = call["arguments"]
    return json.loads(found) if isinstance(found, str) else found


def _plain(value: Any) -> Any:
    """Text in its normal form, as a number where it is one."""
    if not isinstance(value, str):
        return value
    text = naive.normalise(value).text.strip()
    try:
        return float(text)
    except ValueError:
        return text


@needs("responses")
def determinism_repeats(sample: Sample) -> Result:
    """The share of answers that equal the most frequent one."""
    responses = sample.responses
    if len(responses) < 2:
        return Result.missing("There are fewer than two responses to compare.")
    usual, same = Counter(responses).most_common(1)[0]
    others = [n for n, answer in enumerate(responses) if answer and answer != usual]
    return Result(
        100.0 * same / len(responses),
        f"{same} of {len(responses)} answers are identical.",
        tuple(Span(f"responses[{n}]", 0, len(responses[n]), "differs") for n in others),
    ).limited()


@needs("response")
def schema_compliance(sample: Sample) -> Result:
    """Whether the response is JSON, where the schema asks for an object."""
    response = sample.response
    if not isinstance(sample.schema, dict) or sample.schema.get("type") != "object":
        stripped = response.strip()
        held = (
            (len(stripped) >= 10) + bool(stripped) + ("<" not in response and ">" not in response)
        )
        held += stripped.endswith((".", "!", "?", ":", ";"))
        return Result.imputed(25.0 * held, f"No schema; {held} of 4 checks of its form hold.")
    try:
        json.loads(response)
    except json.JSONDecodeError as error:
        return _not_json(response, error)
    return Result(100.0, "The response is JSON.")


def _not_json(response: str, error: json.JSONDecodeError) -> Result:
    spans = [Span("response", error.pos, error.pos + 1, "not JSON")]
    return Result(0.0, "The response is not JSON.", spans if error.pos < len(response) else ())


@needs("response", "schema")
def schema_compliance_strict(sample: Sample) -> Result:
    """Whether the response is JSON that obeys the schema."""
    response = sample.response
    try:
        value = json.loads(response)
    except json.JSONDecodeError as error:
        return _not_json(response, error)
    wrong = list(_violations(value, sample.schema, ()))[:10]
    if not wrong:
        return Result(100.0, "The response obeys the schema.")
    spans = tuple(Span("response", *_place(response, path), keyword) for path, keyword in wrong)
    return Result(0.0, f"The response breaks the schema {len(wrong)} times.", spans)


_TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
}


def _violations(value: Any, schema: Mapping[str, Any], path: Path) -> Iterator[tuple[Path, str]]:
    """What breaks the usual keywords of a schema: where, and which keyword."""
    kind = schema.get("type")
    if kind and not isinstance(value, _TYPES[kind]):
        yield path, "type"
    if "enum" in schema and value not in schema["enum"]:
        yield path, "enum"
    if isinstance(value, int | float):
        if value < schema.get("minimum", value):
            yield path, "minimum"
        if value > schema.get("maximum", value):
            yield path, "maximum"
    if isinstance(value, dict):
        for key in schema.get("required", ()):
            if key not in value:
                yield path, "required"
        for key, part in schema.get("properties", {}).items():
            if key in value:
                yield from _violations(value[key], part, (*path, key))
    if isinstance(value, list) and "items" in schema:
        for place, part in enumerate(value):
            yield from _violations(part, schema["items"], (*path, place))


def _place(text: str, path: Sequence[str | int]) -> tuple[int, int]:
    """Where the part of JSON text begins and ends, found by reading up to it."""
    decode = json.JSONDecoder().raw_decode
    start = len(text) - len(text.lstrip())
    for wanted in path:
        at, index = start + 1, 0
        while True:
            at = _after(text, at, " \t\n\r,")
            key: Any = index
            if text[start] == "{":
                key, at = decode(text, at)
                at = _after(text, at, " \t\n\r:")
            if key == wanted:
                break
            at, index = decode(text, at)[1], index + 1
        start = at
    return start, decode(text, start)[1]


def _after(text: str, place: int, skipped: str) -> int:
    while text[place] in skipped:
        place += 1
    return place


@needs("expected_sources", "contexts")
def retrieval_recall_5(sample: Sample) -> Result:
    """The share of expected sources that a name or the text of the first five contexts is."""
    sources: dict[str, int] = {}
    for place, source in enumerate(sample.expected_sources):
        if source.strip():
            sources.setdefault(_lower(source), place)
    if not sources:
        return Result.missing("No expected source has a name.")
    missed = [
        place
        for place in sources.values()
        if not any(_is_source(sample.expected_sources[place], one) for one in sample.contexts[:5])
    ]
    found = len(sources) - len(missed)
    return Result(
        min(100.0, 100.0 * found / len(sources)),
        f"{found} of {len(sources)} expected sources are among the first contexts.",
        tuple(
            Span(f"expected_sources[{n}]", 0, len(sample.expected_sources[n]), "not found")
            for n in missed
        ),
    )


def _is_source(source: str, document: Document) -> bool:
    """Whether a context has the name or, but for a few words, the text of an expected source."""
    names = {name for given in (document.id, document.source) for name in _names(given or "")}
    if not names.isdisjoint(_names(source)):
        return True
    wanted, held = sorted((_plain_words(source), _plain_words(document.content)), key=_run_count)
    if min(len(wanted), len(held)) < 6:
        return False
    joined, other = f" {' '.join(wanted)} ", f" {' '.join(held)} "
    if joined in other or other in joined:
        return True
    if not set(re.findall(r"\d+", joined)) <= set(re.findall(r"\d+", other)):
        return False
    return len(_runs(wanted) & _runs(held)) >= 0.8 * _run_count(wanted)


def _names(name: str) -> set[str]:
    """A name in lower case, and without folder, ending and underscores."""
    text = naive.normalise(name).lower.strip()
    site = re.match(r"[a-z][a-z0-9+.-]*://", text)
    path = re.split("[?#]", text[site.end() :])[0] if site else text
    path = path.rstrip("/\\")
    last = re.split(r"[/\\]", path)[-1]
    if not site or last != path:
        last = re.sub(r"(?<=.)\.([a-z][a-z0-9]{1,4}|[0-9][a-z][a-z0-9]{0,3})\Z", "", last)
    return {_lower(name), " ".join(last.replace("_", " ").split())} - {""}


def _lower(name: str) -> str:
    return " ".join(naive.normalise(name).lower.split())


def _plain_words(text: str) -> list[str]:
    """The first words of a text, without any sign."""
    lower = naive.normalise(text).lower
    return "".join(char if _is_in_word(char) else " " for char in lower).split()[:5000]


def _is_in_word(char: str) -> bool:
    return char == "_" or char.isalnum() or unicodedata.category(char)[0] == "M"


def _runs(words: list[str]) -> set[tuple[str, ...]]:
    """Three words in a row."""
    return set(zip(words, words[1:], words[2:], strict=False))


def _run_count(words: list[str]) -> int:
    return len(_runs(words))


METRICS: tuple[Rule, ...] = (
    determinism_repeats,
    e2e_latency,
    error_recovery,
    retrieval_recall_5,
    schema_compliance,
    schema_compliance_strict,
    step_efficiency,
    task_completion,
    throughput,
    token_latency,
    tool_usage_accuracy,
    tool_usage_accuracy_calls,
    ttft,
)
