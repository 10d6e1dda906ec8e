"""The kinds of checks that a record may carry (`checks.toml`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from assay.data.bundled_files import read_bundled_toml

EXECUTED = ("javascript", "python", "ruby", "webhook", "exec")
"""Kinds of promptfoo's that run a program or send the answer away; nothing of a record is run."""
NOT_OFFERED = (
    *("answer-relevance", "bleu", "classifier", "contains-html", "contains-sql", "contains-xml"),
    *("context-faithfulness", "context-recall", "context-relevance", "conversation-relevance"),
    *("factuality", "finish-reason", "g-eval", "gleu", "guardrails", "is-html", "is-sql", "is-xml"),
    *("is-valid-function-call", "is-valid-openai-function-call", "is-valid-openai-tools-call"),
    *("levenshtein", "max-score", "meteor", "model-graded-closedqa", "model-graded-factuality"),
    *("moderation", "perplexity", "perplexity-score", "pi", "rouge-n", "search-rubric"),
    *("select-best", "word-count"),
)
"""Other kinds of promptfoo's: a text that begins with one is a check, and refused by its name."""


@dataclass(frozen=True, slots=True)
class CheckKind:
    """One kind of check."""

    name: str
    value: str
    """What its value must be."""
    may_lack_value: bool
    threshold: float | str | None
    """The default, `needed`, `optional`, or None where it takes none."""
    keys: tuple[str, ...]
    help: str


@cache
def check_kinds() -> Mapping[str, CheckKind]:
    """All kinds by their names."""
    return {
        name: CheckKind(
            name,
            row["value"].removesuffix("?"),
            row["value"].endswith("?"),
            row.get("threshold"),
            tuple(row.get("keys", ())),
            row["help"],
        )
        for name, row in read_bundled_toml("checks.toml").items()
    }


@cache
def kind_names() -> Mapping[str, str]:
    """Every accepted name of a kind → the kind's own name."""
    rows = read_bundled_toml("checks.toml")
    return {other: name for name, row in rows.items() for other in (name, *row.get("also", ()))}
