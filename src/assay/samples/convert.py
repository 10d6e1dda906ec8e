"""From the value of one field, as a file gives it, to what a `Sample` holds.

Every converter takes the name under which the value was found, for its messages, and the value,
which is never None. It returns the field's value or raises `SampleError`. `KINDS` lists them by the
word that `fields.toml` uses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from numbers import Integral, Real
from typing import Any, NamedTuple

from assay.core import Document, SampleError, jsontext
from assay.core.bounds import MAX_COUNT, MAX_SECONDS, MAX_WEIGHT
from assay.core.trajectory_rules import read_trajectory_rules
from assay.samples.field_names import normalise
from assay.samples.transcripts import has_only_results, unpacked_message

Converter = Callable[[str, Any], Any]


class PartialValue(NamedTuple):
    """A field's value that is only part of what was given.

    The whole goes to the field of that name, or else to the metadata.
    """

    value: str
    name: str
    whole: Any


def text(name: str, value: Any) -> str:
    """Text; numbers and booleans are spelt as JSON spells them."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Real) and _is_short(value) and _is_finite(value):
        return str(value)
    raise refusal(name, value, "text")


def prompt(name: str, value: Any) -> str | PartialValue:
    """Text, or a list of messages whose last one by the user is the query."""
    messages = _plain(value)
    if not isinstance(messages, list):
        return text(name, value)
    if not all(isinstance(m, Mapping) and "content" in m for m in messages):
        raise refusal(name, value, "text or a list of messages")
    turns = conversation(name, messages)
    return PartialValue(last_question(name, turns), "conversation", turns)


def conversation(name: str, value: Any) -> tuple[dict[str, Any], ...]:
    """Turns: a list of objects with a role and a content, or JSON text of one.

    A content of several parts becomes its text; the parts stay beside it.
    """
    items = _items(value, _are_objects)
    if not _are_objects(items):
        raise refusal(name, value, "a list of turns, each with a role and a content")
    return tuple(_turn(_item(name, place), turn) for place, turn in enumerate(items))


def last_question(name: str, turns: Sequence[Mapping[str, Any]]) -> str:
    """What the user said last."""
    spoken = [turn["content"] for turn in turns if turn["role"] == "user"]
    if not spoken:
        raise SampleError(f"{name!r} has no message of the role 'user'; expected at least one")
    return str(spoken[-1])


def reference(name: str, value: Any) -> str | PartialValue:
    """Text, or a list of accepted answers, of which the first counts."""
    answers = _plain(value)
    if not isinstance(answers, list):
        return text(name, value)
    if not answers:
        raise SampleError(f"{name!r} is an empty list; expected text or a list of texts")
    first = text(_item(name, 0), answers[0])
    return first if len(answers) == 1 else PartialValue(first, "references", answers)


def texts(name: str, value: Any) -> tuple[str, ...]:
    """Several texts: a list, JSON text of a list, or a single text."""
    items = _items(value, _are_texts)
    if _are_texts(items):
        return tuple(items)
    return tuple(text(_item(name, place), item) for place, item in enumerate(items))


def passages(name: str, value: Any) -> str:
    """Text, or several that are joined by line breaks."""
    return "\n".join(texts(name, value))


def documents(name: str, value: Any) -> tuple[Document, ...]:
    """Documents: texts or objects, a list of either, or JSON text of one of these."""
    items = _items(value, _are_documents)
    return tuple(
        Document(item) if item.__class__ is str else _document(_item(name, place), item)
        for place, item in enumerate(items)
    )


def calls(name: str, value: Any) -> tuple[Any, ...]:
    """Tool calls or definitions in any form: a list, JSON text of a list, or a single one."""
    return tuple(_items(value, lambda _: True))


def checks(name: str, value: Any) -> tuple[Any, ...]:
    """Checks of the response: a list, JSON text of a list, or a single one; each is looked at."""
    from assay.checks.reading import CheckError, read_checks

    given = tuple(_items(value, lambda _: True))
    try:
        read_checks(given, name)
    except CheckError as error:
        raise SampleError(str(error)) from None
    return given


def tags(name: str, value: Any) -> tuple[str, ...]:
    """A list of texts, text with `;` or `,` between the tags, an object, or JSON text of these.

    An object gives a tag `key:value` for each of its entries, and one for each part of a list.
    """
    parsed = _parsed(value) if isinstance(value, str) and looks_like_json(value) else value
    if isinstance(parsed, Mapping):
        return tuple(tag for key, part in parsed.items() for tag in _key_tags(name, key, part))
    if not isinstance(value, str) or parsed_list(value, _are_texts) is not None:
        return texts(name, value)
    return tuple(tag for part in value.split(";") for tag in map(str.strip, part.split(",")) if tag)


def _key_tags(name: str, key: Any, value: Any) -> tuple[str, ...]:
    """The tags of one entry of an object; an absent value gives none."""
    if value is None:
        return ()
    parts = _plain(value)
    parts = parts if isinstance(parts, list) else [parts]
    return tuple(f"{key}:{text(f'{name}.{key}', part)}" for part in parts)


def translations(name: str, value: Any) -> dict[str, str]:
    """An object from language code to text."""
    return {
        lang: text(f"{name}.{lang}", translated)
        for lang, translated in _object(name, value).items()
    }


def metadata(name: str, value: Any) -> dict[str, Any]:
    """An object of anything; a weight in it must be usable as one."""
    table = _object(name, value)
    if "weight" in table:
        number = weight(f"{name}.weight", table["weight"])
        if isinstance(table["weight"], str):
            table["weight"] = number
    return table


def weight(name: str, value: Any) -> float:
    """How much a sample counts."""
    return _bounded(name, value, MAX_WEIGHT)


def seconds(name: str, value: Any) -> float:
    """A length of time."""
    return _bounded(name, value, MAX_SECONDS)


def schema(name: str, value: Any) -> Any:
    """A JSON Schema: an object or a boolean, or JSON text of one."""
    parsed = _parsed(value) if isinstance(value, str) else value
    if isinstance(parsed, Mapping | bool):
        return parsed
    raise refusal(name, value, "a JSON Schema: an object, or JSON text of one")


def as_given(name: str, value: Any) -> Any:
    """Any value; JSON text stays text, because comparing JSON begins with its errors."""
    return value


def trajectory_rules(name: str, value: Any) -> dict[str, Any]:
    """Rules for an agent's calls: an object, or JSON text of one, whose rules can be read."""
    table = _object(name, value)
    read_trajectory_rules(table)
    return table


def finite(name: str, value: Any) -> float:
    """Any number that is neither NaN nor infinite."""
    number = _number(value)
    if number is None:
        raise refusal(name, value, "a finite number")
    return number


def from_milliseconds(name: str, value: Any) -> float:
    """Seconds, from a number of milliseconds."""
    return _bounded(name, value, MAX_SECONDS * 1000) / 1000


def count(name: str, value: Any) -> int:
    """A whole number of 0 or more."""
    number = _whole(value)
    if number is None or not 0 <= number <= MAX_COUNT:
        raise refusal(name, value, "a whole number of 0 or more")
    return number


def flag(name: str, value: Any) -> bool:
    """A boolean, or one of the words and figures that stand for it."""
    is_flag = isinstance(value, str) or (isinstance(value, int) and _is_short(value))
    value_of_flag = _FLAGS.get(str(value).strip().lower()) if is_flag else None
    if value_of_flag is None:
        raise refusal(name, value, "true or false")
    return value_of_flag


KINDS: dict[str, Converter] = {
    "calls": calls,
    "checks": checks,
    "conversation": conversation,
    "count": count,
    "documents": documents,
    "flag": flag,
    "json": as_given,
    "metadata": metadata,
    "passages": passages,
    "prompt": prompt,
    "reference": reference,
    "schema": schema,
    "seconds": seconds,
    "tags": tags,
    "text": text,
    "texts": texts,
    "trajectory_rules": trajectory_rules,
    "translations": translations,
}


def refusal(name: str, value: Any, expected: str) -> SampleError:
    """The error that says what was found under a name and what was expected."""
    return SampleError(f"{name!r} is {shown(value)}; expected {expected}")


def shown(value: Any) -> str:
    """The value as a message shows it: short, and lists and objects by their kind only."""
    if isinstance(value, str | Real):
        value_text = repr(value) if isinstance(value, str) or _is_short(value) else "a huge number"
        return value_text if len(value_text) <= 60 else f"{value_text[:57]}…"
    if value is None:
        return "null"
    if isinstance(value, Mapping):
        return "an object"
    return "a list" if isinstance(value, list | tuple) else f"of type {type(value).__name__}"


def parsed_list(given: str, is_fit: Callable[[list[Any]], bool]) -> list[Any] | None:
    """The list (an object counts as a list of one) that the text holds as JSON, if it is fit."""
    if not looks_like_json(given):
        return None
    parsed = _parsed(given)
    parsed = [parsed] if isinstance(parsed, dict) else parsed
    return parsed if isinstance(parsed, list) and is_fit(parsed) else None


def looks_like_json(given: str) -> bool:
    """Whether the text begins as a JSON list or object does."""
    return given.lstrip()[:1] in ("[", "{")


def is_json(given: Any) -> bool:
    """Whether a value is the JSON text of an object or a list."""
    return (
        isinstance(given, str)
        and looks_like_json(given)
        and isinstance(_parsed(given), dict | list)
    )


_ROLES = {"human": "user", "ai": "assistant", "bot": "assistant", "model": "assistant"}
"""What other tools call the roles of a conversation."""
_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_DOCUMENT: dict[str, tuple[Converter, tuple[str, ...]]] = {
    "content": (text, ("content", "text", "pagecontent")),
    "id": (text, ("id",)),
    "source": (text, ("source",)),
    "page": (count, ("page",)),
    "similarity_score": (finite, ("similarityscore", "score")),
}
"""What a document holds: how each part is converted, and under which names it is accepted."""


def _document(name: str, value: Any) -> Document:
    if not isinstance(value, Mapping):
        return Document(text(name, value))
    given = dict(value)
    # LangChain keeps source and page one level deeper.
    if isinstance(inner := given.get("metadata"), Mapping):
        given = {**inner, **{key: fields for key, fields in given.items() if fields is not None}}
    fields: dict[str, Any] = {}
    for field, convert, key in _document_keys(tuple(given)):
        if field not in fields and given[key] is not None:
            fields[field] = convert(f"{name}.{key}", given[key])
    if "content" not in fields:
        raise SampleError(f"{name!r} has no 'content'; expected text under that name or as 'text'")
    return Document(**fields)


@lru_cache(maxsize=256)
def _document_keys(keys: tuple[str, ...]) -> tuple[tuple[str, Converter, str], ...]:
    """Which keys of a document give which of its fields, in order of preference."""
    return tuple(
        (field, convert, key)
        for field, (convert, names) in _DOCUMENT.items()
        for name in names
        for key in keys
        if normalise(str(key)) == name
    )


def _items(value: Any, is_fit: Callable[[list[Any]], bool]) -> list[Any]:
    value = _plain(value)
    if isinstance(value, str):
        items = parsed_list(value, is_fit)
        return [value] if items is None else items
    return value if isinstance(value, list) else [value]


def _are_texts(items: Iterable[Any]) -> bool:
    return all(isinstance(item, str) for item in items)


def _are_documents(items: Iterable[Any]) -> bool:
    return all(isinstance(item, str | dict) for item in items)


def _are_objects(items: Iterable[Any]) -> bool:
    return all(isinstance(item, Mapping) for item in items)


def _item(name: str, place: int) -> str:
    return f"{name}[{place}]"


def _turn(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    given = unpacked_message(given)
    role = text(f"{name}.role", given.get("role") or given.get("type") or "")
    if not role:
        raise SampleError(f"{name!r} has no 'role'; expected user, assistant or system")
    content = given.get("content")
    content_text = "" if content is None else _message_text(name, content)
    turn = {**given, "role": _ROLES.get(role, role), "content": content_text}
    if not isinstance(content, list | tuple):
        return turn
    turn["parts"] = list(content)
    # Anthropic and Gemini send the results of tools in the user's name.
    return {**turn, "role": "tool"} if has_only_results(turn) else turn


def _message_text(name: str, content: Any) -> str:
    """The text of a message, whose content may be a list of parts of which some are text."""
    if not isinstance(content, list | tuple):
        return text(f"{name}.content", content)
    parts = [part.get("text") if isinstance(part, Mapping) else part for part in content]
    return "\n".join(part for part in parts if isinstance(part, str))


def _object(name: str, value: Any) -> dict[str, Any]:
    parsed = _parsed(value) if isinstance(value, str) else value
    if not isinstance(parsed, Mapping):
        raise refusal(name, value, "an object")
    return dict(parsed)


def _parsed(given: str) -> Any:
    try:
        return jsontext.loads(given)
    except ValueError:
        return None


def _plain(value: Any) -> Any:
    """Tuples and arrays as lists."""
    if isinstance(value, tuple):
        return list(value)
    return value.tolist() if hasattr(value, "tolist") else value


def _bounded(name: str, value: Any, most: float) -> float:
    number = _number(value)
    if number is None or number < 0:
        raise refusal(name, value, "a number of 0 or more")
    if number > most:
        raise refusal(name, value, f"a number of at most {most:,.0f}")
    return number


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, Real | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _whole(value: Any) -> int | None:
    if isinstance(value, Integral) and not isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 30:
        return int(value)
    number = _number(value)
    return int(number) if number is not None and number.is_integer() else None


def _is_finite(value: Real) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond all floats
        return True


def _is_short(value: int | Real) -> bool:
    """Whether Python agrees to spell the number: it refuses whole numbers of 4,300 digits."""
    return not isinstance(value, int) or value.bit_length() < 1400
