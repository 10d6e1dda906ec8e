"""Prompts as files: a text with the names of a record's fields in braces, filled in literally.

Nothing of a record is ever read as a placeholder, and nothing is computed: each place is replaced
once, by the text of a field.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from assay.core import ProfileError, Sample, SampleError, UsageError
from assay.core.jsontext import dumps
from assay.core.sample import is_absent
from assay.data.bundled_files import fingerprint, read_toml
from assay.runner.questions import Question, question_of
from assay.samples.field_names import fields, normalise
from assay.targets.protocol import Turn

MAX_SIZE = 1_000_000
"""Characters of a prompt file."""
_PLACE = re.compile(r"(\\?)(?:\{\{[ ]?([A-Za-z]\w{0,99})[ ]?\}\}|\{([A-Za-z]\w{0,99})\})")
SENT = ("query", "contexts", "language", "id")
"""Fields of a sample that may be sent to a target. The others hold an answer, or say what the right
one is, which would make the test meaningless."""


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """What a system is told around a question: instructions, a message of the user, or both."""

    name: str
    system: str = ""
    user: str = ""
    """The first message of the user; empty where the question is sent as it is."""

    @property
    def fingerprint(self) -> str:
        """Six hexadecimal digits that change when the texts do."""
        return fingerprint(dumps([self.system, self.user]))

    def question_of(self, sample: Sample) -> Question:
        """The turns to ask for a record; raises `SampleError` where a field is absent."""
        question = question_of(sample)
        system, user = question.system, question.user
        if self.system:
            system = (Turn("system", self._filled(self.system, sample)), *system)
        if self.user:
            first = replace(sample, query=user[0].content)
            user = (Turn("user", self._filled(self.user, first)), *user[1:])
        tells_contexts = "contexts" in _places(f"{self.system}\n{self.user}")
        return Question(system, user, tells_contexts)

    def _filled(self, text: str, sample: Sample) -> str:
        def value(match: re.Match[str]) -> str:
            if match[1]:
                return match[0][1:]
            return _field_text(sample, match[2] or match[3], self.name)

        return _PLACE.sub(value, text)


def read_prompt(name: str, path: Path) -> PromptTemplate:
    """The prompt of a file.

    A `.toml` file has the texts `system` and `user`. Any other file is one text: the user's message
    where the question's place is in it, else the instructions that go before the question.
    """
    text = _text(name, path)
    if path.suffix != ".toml":
        role = "user" if "query" in _places(text) else "system"
        return _checked(PromptTemplate(name, **{role: text}), path)
    table = read_toml(text, str(path))
    wrong = [key for key, part in table.items() if key not in ("system", "user")]
    if wrong or not table or not all(isinstance(part, str) for part in table.values()):
        raise ProfileError(f"the prompt {str(path)!r} must have the texts 'system', 'user' or both")
    prompt = _checked(PromptTemplate(name, **table), path)
    if prompt.user and "query" not in _places(prompt.user):
        raise ProfileError(f"'user' of the prompt {str(path)!r} has no place for {{query}}")
    return prompt


def _text(name: str, path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UsageError(f"no such file: {str(path)!r}, the prompt {name!r}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ProfileError(f"the prompt {str(path)!r} cannot be read: {error}") from None
    if len(text) > MAX_SIZE:
        raise ProfileError(f"the prompt {str(path)!r} has more than {MAX_SIZE:,} characters")
    return text


def _checked(prompt: PromptTemplate, path: Path) -> PromptTemplate:
    if not (prompt.system.strip() or prompt.user.strip()):
        raise ProfileError(f"the prompt {str(path)!r} is empty; expected a text")
    for name in _places(f"{prompt.system}\n{prompt.user}"):
        if name in _field_names().values() and name not in SENT:
            raise ProfileError(
                f"the prompt {str(path)!r} has a place for {{{name}}}, which is never sent to a "
                f"target; expected {', '.join(f'{{{field}}}' for field in SENT)} or another "
                f"column of the records; \\{{{name}}} is sent as it stands"
            )
    return prompt


def _places(text: str) -> set[str]:
    """The fields that a text has places for."""
    matches = (match for match in _PLACE.finditer(text) if not match[1])
    return {_field_names().get(normalise(name), name) for m in matches for name in [m[2] or m[3]]}


_LONE = {"context": "contexts"}
"""What a name stands for that two fields take."""


@cache
def _field_names() -> dict[str, str]:
    """Every accepted name of a field, normalised, with the field's own."""
    known = {name: field.name for field in fields() for name in (*field.names, *field.alone)}
    return {**known, **{normalise(field.name): field.name for field in fields()}, **_LONE}


def _field_text(sample: Sample, place: str, prompt: str) -> str:
    """The text of the field that a place names: one of the sample, or one of its metadata."""
    field = _field_names().get(normalise(place))
    value: Any = sample.metadata.get(place) if field is None else getattr(sample, field)
    if value is None or is_absent(value):
        raise SampleError(
            f"the prompt {prompt!r} has a place for {{{place}}}, which the record does not have"
        )
    if field == "contexts":
        return "\n\n".join(document.content for document in sample.contexts)
    return value if isinstance(value, str) else dumps(value)
