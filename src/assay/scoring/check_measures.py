"""Checks that count or compare words, and checks of XML."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.parsers.expat import ExpatError, ParserCreate, errors

from assay.checks.reading import RecordCheck
from assay.core.wording import counted
from assay.scoring.check_results import CheckResult, decided
from assay.scoring.check_texts import quoted
from assay.textproc.bleu import bleu_score
from assay.textproc.rouge import is_foreign, rouge_scores, rouge_tokens, text_tokens

MAX_DEPTH = 200
"""Elements inside each other that are read."""
MAX_TRIED = 20
"""Places at which XML may begin that are tried."""
_ELEMENT = re.compile(r"<([A-Za-z_][\w.-]{0,99})")


def edit_distance(check: RecordCheck, response: str) -> CheckResult:
    """Whether few letters must be changed to get from the response to the text."""
    from rapidfuzz.distance import Levenshtein

    limit = int(check.threshold or 0)
    distance = Levenshtein.distance(response, check.value, score_cutoff=limit)
    amount = f"more than {limit:,}" if distance > limit else f"{distance:,}"
    fact = f"{amount} letters differ from {quoted(check.value)} (at most {limit:,})"
    return decided(distance <= limit, fact)


def word_count(check: RecordCheck, response: str) -> CheckResult:
    """Whether the response has as many words as asked."""
    least, most = check.value
    count = len(response.split())
    fact = f"the response has {counted(count, 'word')}"
    if least == most:
        return decided(count == least, f"{fact} (expected {least:,})")
    limits = [f"at {word} {n:,}" for n, word in ((least, "least"), (most, "most")) if n >= 0]
    is_held = count >= least and (most < 0 or count <= most)
    return decided(is_held, f"{fact} ({', '.join(limits)})")


def rouge_1(check: RecordCheck, response: str) -> CheckResult:
    """Whether the response shares enough words with the text."""
    read = text_tokens if is_foreign(response) else rouge_tokens
    score = rouge_scores(read(check.value), read(response)).rouge1_f1
    return _reached(check, score, f"ROUGE-1 against {quoted(check.value)}")


def bleu_4(check: RecordCheck, response: str) -> CheckResult:
    """Whether the response shares enough stretches of words with one of the texts."""
    words = response.split()
    score, text = max((min(1.0, bleu_score(t.split(), words).score), t) for t in check.value)
    return _reached(check, score, f"BLEU against {quoted(text)}")


def _reached(check: RecordCheck, score: float, measure: str) -> CheckResult:
    limit = check.threshold or 0.0
    fact = f"{measure} is {score:.2f} (threshold {limit:g})"
    return decided(score >= limit, fact)._replace(score=score)


def is_xml(check: RecordCheck, response: str) -> CheckResult:
    """Whether the response is XML with the elements that are asked for."""
    text = response.strip()
    elements = _elements(text)
    if isinstance(elements, str):
        return decided(False, f"the response is not XML: {elements}")
    absent = _absent(check, elements)
    return decided(not absent, f"the XML lacks {quoted(absent)}" if absent else "it is XML")


def contains_xml(check: RecordCheck, response: str) -> CheckResult:
    """Whether XML with these elements stands somewhere in the response."""
    fact = "no XML stands in the response"
    for start in [match.start() for match in _ELEMENT.finditer(response)][:MAX_TRIED]:
        name = _ELEMENT.match(response, start)
        last = response.rfind(f"</{name[1]}>", start) if name else -1
        end = response.find(">", last) + 1
        elements = _elements(response[start:end]) if last > 0 else "it does not end"
        if not isinstance(elements, str):
            absent = _absent(check, elements)
            if not absent:
                return decided(True, "XML stands in the response", [(start, end)])
            fact = f"the XML lacks {quoted(absent)}"
    return decided(False, fact)


def _absent(check: RecordCheck, found: set[str]) -> str:
    """The first of the wanted elements that is not there; empty where all are."""
    return next((path for path in check.value or () if path not in found), "")


def _elements(text: str) -> set[str] | str:
    """The elements of XML as paths (`order.item`); else why it is none. Nothing is expanded."""
    paths: set[str] = set()
    open_ones: list[str] = []
    parser = ParserCreate()

    def refuse(*_: object) -> None:
        raise ValueError("it declares a document type")

    def start(name: str, _: object) -> None:
        if len(open_ones) >= MAX_DEPTH:
            raise ValueError(f"its elements lie more than {MAX_DEPTH} levels inside each other")
        open_ones.append(name)
        paths.add(".".join(open_ones))

    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: open_ones.pop()
    try:
        parser.Parse(text.encode("utf-8", "replace"), True)
    except ExpatError as error:
        return f"{errors.messages[error.code]} in line {error.lineno}"
    except ValueError as error:
        return str(error)
    return paths


def tool_names_f1(made: Iterable[str], wanted: Iterable[str]) -> float:
    """The harmonic mean of precision and recall of the names of called tools."""
    called, expected = set(made), set(wanted)
    return 2 * len(called & expected) / (len(called) + len(expected))
