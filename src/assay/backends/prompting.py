"""Puts texts that nobody vouches for in front of a judge.

Every text stands between marks made of a *nonce*, and the verdict must repeat it. The nonce is a
hash over all that is asked, the texts included, so it is the same whenever the same is asked again
(which a cache needs) and yet no text can hold it: to write it into a text one would have to know
the hash of the text with the hash in it, and finding such a text takes 2^128 tries. What another
call's verdict looked like is of no use either, since its nonce is another one.

Beside that every line of a text gets a sign before it, line breaks of all kinds are line breaks,
and what acts on a model without being read is taken out or broken: control characters, invisible
tags, and the words by which chat models tell roles apart (`data/role_tokens.txt`).
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

from assay.backends.judge_questions import JudgeQuestion, Numbers
from assay.backends.texts import encodable

LINE = "| "
"""What every line of a text begins with."""
_UNREADABLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # control characters that break no line
    "\u200b\u2060\ufeff"  # blanks without width, which hide words from whoever looks for them
    "\U000e0000-\U000e0fff]"  # tags and further variants: text that no person sees
)


def nonce_of(question: JudgeQuestion, number: int = 0, attempt: int = 0) -> str:
    """The word that binds a verdict to one call.

    `number` tells several verdicts on one question apart, `attempt` a repaired one from the first.
    """
    texts = [[title, encodable(text)] for title, text in question.texts]
    seed_text = json.dumps([question.instructions, _shape(question), texts, number, attempt])
    return hashlib.sha256(seed_text.encode()).hexdigest()[:32]


def messages(
    question: JudgeQuestion, nonce: str, *, is_repair: bool = False
) -> list[dict[str, str]]:
    """The conversation that asks the question; a repair says that an earlier answer was no use.

    What that answer was is not repeated: it may hold what a text wanted it to say.
    """
    prompt = read_prompt("verdict")
    system = Template(prompt["system"]).substitute(
        instructions=question.instructions.strip(), shape=_shape(question)
    )
    shown = [
        Template(prompt["text"]).substitute(title=title, nonce=nonce, lines=marked(text))
        for title, text in question.texts
    ]
    end = Template(prompt["end"]).substitute(nonce=nonce)
    if is_repair:
        end = f"{prompt['repair'].strip()} {end.strip()}"
    user = "".join([*shown, end])
    return [
        {"role": "system", "content": system.strip()},
        {"role": "user", "content": user.strip()},
    ]


def marked(text: str) -> str:
    """A text as the judge sees it: harmless, and with a sign before every line."""
    return "\n".join(f"{LINE}{line}" for line in harmless(text).splitlines() or [""])


def harmless(text: str) -> str:
    """The text without what acts on a model unread."""
    return _acting().sub(_broken, _UNREADABLE.sub("", encodable(text)))


def _broken(match: re.Match[str]) -> str:
    token = match[0]
    return f"{token[0]} {token[1:]}"


@cache
def _acting() -> re.Pattern[str]:
    """Words that tell roles apart, the longest first."""
    text = (files("assay") / "data" / "role_tokens.txt").read_text(encoding="utf-8")
    tokens = [line for line in text.splitlines() if line and not line.startswith("#")]
    tokens += ["<|", "|>", "<｜", "｜>"]
    longest_first = sorted(tokens, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE)


def _shape(question: JudgeQuestion) -> str:
    """The verdict's keys in words, in the order in which they are to be written."""
    known, answers = read_prompt("verdict")["shape"], question.answers
    parts = [known["reason"], known["quote"]] if question.explains else []
    if isinstance(answers, Numbers):
        text = known["whole" if answers.is_whole else "number"]
        parts.append(Template(text).substitute(low=f"{answers.low:g}", high=f"{answers.high:g}"))
    else:
        labels = ", ".join(json.dumps(label, ensure_ascii=False) for label in answers.labels)
        parts.append(Template(known["label"]).substitute(labels=labels))
    return "{" + ", ".join([*parts, known["nonce"]]) + "}"


@cache
def read_prompt(name: str) -> dict[str, Any]:
    """One of the bundled prompts."""
    return tomllib.loads(_text(f"prompts/{name}.toml"))


@cache
def prompts_fingerprint() -> str:
    """Changes when the wording of any question to a judge does, or how texts are shown."""
    names = [f"prompts/{name}.toml" for name in ("verdict", "json_likeness", "claim_support")]
    texts = "".join(map(_text, [*names, "role_tokens.txt"]))
    return hashlib.sha256(texts.encode()).hexdigest()[:6]


def _text(path: str) -> str:
    return files("assay").joinpath("data", path).read_text(encoding="utf-8")
