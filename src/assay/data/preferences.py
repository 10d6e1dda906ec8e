"""Rubrics for pairs: which of two responses does better by the question of another rubric."""

from __future__ import annotations

from dataclasses import replace
from string import Template

from assay.core.errors import ProfileError
from assay.data.bundled_files import fingerprint, read_bundled_toml
from assay.data.rubrics import Rubric, RubricChoice

PROMPT = "prompts/preference.toml"
TIE, FIRST, SECOND = "tie", "first", "second"
RESPONSES = "responses"
QUESTION_FIELDS = ("query", "expected", "gold_context", "known_facts", "language")
"""What belongs to a question, and not to one system's answer to it."""


def preference_rubric(rubric: Rubric) -> Rubric:
    """The rubric that compares two `responses` by the question of another; its own name is new."""
    if rubric.polarity == "neutral":
        raise ProfileError(
            f"rubric {rubric.name!r} has no better end, so no response does better by it"
        )
    if rubric.steps:
        raise ProfileError(
            f"rubric {rubric.name!r} has several questions; responses are compared by one"
        )
    if "response" not in rubric.inputs:
        raise ProfileError(f"rubric {rubric.name!r} is not about a 'response'; nothing to compare")
    inputs = [name for name in rubric.inputs if name != "response"]
    if foreign := [name for name in inputs if name not in QUESTION_FIELDS]:
        raise ProfileError(
            f"rubric {rubric.name!r} needs {foreign[0]!r}, which differs between systems; expected "
            f"a rubric with 'response' and any of {', '.join(QUESTION_FIELDS)}"
        )
    prompt = read_bundled_toml(PROMPT)
    question = Template(prompt["question"].strip()).substitute(question=rubric.question)
    if rubric.polarity == "lower":
        question += f"\n\n{prompt['lower']}"
    return replace(
        rubric,
        name=f"{rubric.name}_preference",
        title=f"Which of two responses is better: {rubric.title}",
        question=question,
        inputs=(*inputs, RESPONSES),
        optional=tuple(name for name in rubric.optional if name in QUESTION_FIELDS),
        answers=(
            RubricChoice(TIE, 0.5, prompt["tie"]),
            RubricChoice(FIRST, 1.0, prompt["first"]),
            RubricChoice(SECOND, 0.0, prompt["second"]),
        ),
        polarity="neutral",
        threshold=None,
        degenerate="ask",
        examples=(),
        fingerprint=fingerprint(f"{rubric.fingerprint}{question}"),
    )
