"""What each head learns from: public records, the development halves, and edited sentences.

A record of a labelled set carries the fold that `assay evidence --folds` gives its group, so that
a model can be trained without the records that it is measured on.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from assay.evidence.folds import fold_of
from assay.evidence.labelled_records import group_of
from training.encoder.editor import CONTRADICTED, ENTAILED, NOT_ENTAILED, OPEN, edits_of
from training.encoder.facts import claims, facts
from training.encoder.written import written
from training.harmless import harmless_sentences, harmless_texts
from training.records import read_records, read_set

FOLDS = 3
LABELS = {ENTAILED: 0, OPEN: 1, CONTRADICTED: 2, NOT_ENTAILED: 3}
"""Outputs of the head `support`; the last is one of the two before it."""
UNKNOWN = -1
"""Label of a pair of which only the teacher says what it is."""
HEADS = (
    "support",
    "correctness",
    "relevance",
    "refusal",
    "toxicity",
    "injection",
    "bias",
    "harm",
)
SEED = 20261116
UNSEEN = -2
"""Fold of the sets that are never learnt from."""
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'])")
EDITED_CONTEXTS = 14000
WORDS = (6, 40)
"""Of a sentence that is edited."""
WINDOW = 150
"""Words of a context that a pair is cut to."""
LEFT_OUT = frozenset(("arcd", "scitab"))
"""Another language, and arithmetic over tables."""
SOURCE_WEIGHT = {"snli": 0.5, "snli_heldout": 0.5, "tabfact": 0.4, "infotabs": 0.5, "med": 0.5}
OWN_WEIGHT = 3.0
WRITTEN_WEIGHT = {
    "support": 2.5,
    "correctness": 1.5,
    "relevance": 1.5,
    "refusal": 3.0,
    "toxicity": 4.0,
    "injection": 3.0,
}
VARIANTS = ("snli", "multinli", "fever", "scitail", "conjnli", "paws")
"""Public sources whose second texts are changed for the teacher."""
VARIANTS_EACH = 8000
EDITS_EACH = 2
FACTS_EACH = 120
"""Contexts made of each fact."""
ANSWER_WEIGHT = 6.0
"""Of the labelled answers with contexts, which are few beside the public pairs."""
OTHER_TOXICITY = frozenset(("unauthorized_expertise", "risk_ignorance"))
"""Kinds of DiaSafety that are bad advice, not toxicity."""
ORDINARY = ("halueval_general", "alce_utility", "begin", "evouna_qa", "faithdial_audit")
ORDINARY_EACH = 500
ANSWERS = ("{}", "{}.", "It is {}.", "The answer is {}.", "It was {}.", "That would be {}.")
TAKEN = 3
"""Accepted answers of a record at most."""
OPENINGS = ("", "Sure. ", "Good question! ", "From what is known, ", "Yes: ")


class Example(NamedTuple):
    """A text, or a pair of texts, with what a head should say of it."""

    head: str
    first: str
    second: str
    label: int
    source: str
    weight: float = 1.0
    fold: int = -1
    """Of a record of a labelled set."""


def examples(data: Path, evidence: Path, exams: Sequence[Path] = ()) -> Iterator[Example]:
    """All of them, in a fixed order; the cases of exams are only measured on."""
    for part in (_support, _edited, _correctness, _relevance, _refusal, _toxicity, _injection):
        yield from part(data, evidence)
    yield from _bias(data, evidence)
    yield from _harm(data, evidence)
    yield from _own()
    yield from _variants(data)
    yield from _unseen(evidence)
    for path in exams:
        yield from _exam(path)


def _own() -> Iterator[Example]:
    """What we wrote ourselves, and made-up facts in several wordings."""
    chance = Random(SEED + 3)
    for head, weight in WRITTEN_WEIGHT.items():
        for one in written(head):
            fold = fold_of(one.group, FOLDS)
            label = LABELS[one.label] if isinstance(one.label, str) else one.label
            second = f"{one.query} | {one.expected}" if one.expected else one.context or one.query
            yield Example(head, one.text, second, label, "written", weight, fold)
            if one.context and chance.random() < 0.5:
                parts = [one.context, chance.choice(written(head)).context]
                chance.shuffle(parts)
                both = " ".join(parts)
                yield Example(head, one.text, both, label, "written", 0.6 * weight, fold)
    for fact in facts():
        for claim in (one for _ in range(FACTS_EACH) for one in claims(fact, chance)):
            label = LABELS[claim.label]
            yield Example("support", claim.text, claim.context, label, "facts", 0.3)
            if claim.is_whole and chance.random() < 0.3:
                right = int(claim.label == ENTAILED)
                yield Example("correctness", claim.text, f" | {claim.said}", right, "facts", 0.3)


def _variants(data: Path) -> Iterator[Example]:
    """Pairs without a label: what we wrote and public pairs, changed and paired anew."""
    chance = Random(SEED + 4)
    yield from _support_variants(chance)
    yield from _answer_variants(chance)
    for one in written("relevance"):
        other = chance.choice(written("relevance"))
        fold = fold_of(one.group, FOLDS)
        yield Example("relevance", other.text, one.query, UNKNOWN, "variants", 1.0, fold)
    for source in VARIANTS:
        known = [r for r in read_records(data, "support") if r["source"] == source]
        for r in chance.sample(known, min(len(known), VARIANTS_EACH)):
            for text in _edits(r["b"], chance)[:1]:
                window = best_window(r["b"], r["a"])
                yield Example("support", text, window, UNKNOWN, "variants", 0.5)


def _support_variants(chance: Random) -> Iterator[Example]:
    """Claims changed, joined, beside other contexts, and beside other claims."""
    for context, texts in _grouped("support"):
        fold = fold_of(context, FOLDS)
        for one in texts:
            other = chance.choice(texts)
            pairs = [(text, context) for text in _edits(one, chance)]
            if other != one:
                pairs.append((other, one))
                pairs += [(f"{one} {other}", context)] if chance.random() < 0.3 else []
            if chance.random() < 0.3:
                pairs.append((chance.choice(written("support")).text, context))
            for first, second in pairs:
                yield Example("support", first, second, UNKNOWN, "variants", 1.0, fold)


def _answer_variants(chance: Random) -> Iterator[Example]:
    """Answers changed, and beside another answer as the reference."""
    for query, answers in _grouped("correctness"):
        fold = fold_of(query, FOLDS)
        for one in answers:
            for first in (*_edits(one, chance), chance.choice(answers), chance.choice(answers)):
                second = f"{query} | {one}"
                if first != one:
                    yield Example("correctness", first, second, UNKNOWN, "variants", 1.0, fold)


def _grouped(head: str) -> Iterator[tuple[str, list[str]]]:
    """Context or query → the texts that we wrote about it."""
    groups: dict[str, list[str]] = defaultdict(list)
    for one in written(head):
        groups[one.group].append(one.text)
    yield from groups.items()


def _edits(text: str, chance: Random) -> list[str]:
    """Some changes of a text, whatever they do to its meaning."""
    return [edited.text for edited in edits_of(text, chance)][:EDITS_EACH]


def _unseen(evidence: Path) -> Iterator[Example]:
    """Sets that are never learnt from, to see what carries over."""
    for r in read_set(evidence, "summedits"):
        window = best_window(r["response"], " ".join(r["contexts"]), 2 * WINDOW)
        label = LABELS[ENTAILED if r["label"] else NOT_ENTAILED]
        yield Example("support", r["response"], window, label, "summedits", 0.0, UNSEEN)
    for r in read_set(evidence, "hatecheck_en"):
        yield _text("toxicity", r["response"], r["label"], "hatecheck_en", 0.0, UNSEEN)


def _exam(path: Path) -> Iterator[Example]:
    """English cases of an exam, to see what carries over."""
    for case in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        if case["language"] != "en" or case["job"] not in ("faithfulness", *HEADS):
            continue
        sample, is_good = case["sample"], case["verdict"] == "good"
        first, query = sample.get("response", ""), sample.get("query", "")
        if case["job"] == "faithfulness":
            label = LABELS[ENTAILED if is_good else NOT_ENTAILED]
            window = best_window(first, " ".join(sample["contexts"]))
            yield Example("support", first, window, label, path.stem, 0.0, UNSEEN)
        elif case["job"] == "correctness":
            accepted = sample["expected"]
            expected = accepted if isinstance(accepted, str) else accepted[0]
            one = _answer(query, first, expected, is_good, path.stem, 0.0)
            yield one._replace(fold=UNSEEN)
        elif case["job"] == "relevance":
            yield _reply(query, first, is_good, path.stem, 0.0, UNSEEN)


def best_window(claim: str, context: str, size: int = WINDOW) -> str:
    """The part of a long context that shares most words with the claim."""
    words = context.split()
    if len(words) <= size:
        return context
    wanted = {word.lower().strip(".,;:!?\"'()") for word in claim.split()}
    hits = [word.lower().strip(".,;:!?\"'()") in wanted for word in words]
    starts = range(0, len(words) - size // 2, size // 3)
    start = max(starts, key=lambda at: sum(hits[at : at + size]))
    return " ".join(words[start : start + size])


def _fold(record: dict[str, Any]) -> int:
    return fold_of(group_of(record, record["id"]), FOLDS)


def _support(data: Path, evidence: Path) -> Iterator[Example]:
    for r in read_records(data, "support"):
        if r["source"] not in LEFT_OUT:
            weight = SOURCE_WEIGHT.get(r["source"], 1.0)
            window = best_window(r["b"], r["a"])
            yield Example("support", r["b"], window, LABELS[r["label"]], r["source"], weight)
    for name, no in (
        ("begin", NOT_ENTAILED),
        ("faithdial_audit", NOT_ENTAILED),
        ("wice_citation", NOT_ENTAILED),
        ("fever_symmetric", CONTRADICTED),
    ):
        for r in read_set(evidence, name):
            window = best_window(r["response"], " ".join(r["contexts"]))
            label = LABELS[ENTAILED if r["label"] else no]
            yield Example("support", r["response"], window, label, name, ANSWER_WEIGHT, _fold(r))


def _edited(data: Path, evidence: Path) -> Iterator[Example]:
    """Sentences of contexts, changed; alone, among others, and spread over two documents."""
    chance = Random(SEED)
    contexts = sorted(
        {r["a"] for r in read_records(data, "support") if r["source"] not in LEFT_OUT}
    )
    contexts = [c for c in contexts if _sentences(c) and len(c) > 60]
    chance.shuffle(contexts)
    for number, context in enumerate(contexts[:EDITED_CONTEXTS]):
        other = contexts[-1 - number]
        sentences = _sentences(context)
        sentence = chance.choice(sentences)
        document = " ".join(sentences[:8])
        if sentence not in document:
            document = context
        if chance.random() < 0.4:
            parts = [document, " ".join(_sentences(other)[:4])]
            chance.shuffle(parts)
            document = " ".join(parts)
        yield Example("support", sentence, document, 0, "edited", 0.3)
        for edited in edits_of(sentence, chance):
            label = LABELS[edited.label]
            yield Example("support", edited.text, document, label, "edited", 0.6)
            if chance.random() < 0.5:
                right = int(edited.label == ENTAILED)
                yield Example("correctness", edited.text, f" | {sentence}", right, "edited", 0.5)
        second = chance.choice(_sentences(other))
        if second in document:
            both = f"{sentence} {second}"
            yield Example("support", both, document, 0, "two", 0.5)
            for edited in edits_of(second, chance):
                joined = f"{sentence} {edited.text}"
                yield Example("support", joined, document, LABELS[edited.label], "two", 0.5)
                break
        elif chance.random() < 0.3:
            yield Example("support", f"{sentence} {second}", document, LABELS[OPEN], "added", 0.5)


def _sentences(text: str) -> list[str]:
    parts = (part.strip() for part in SENTENCE.split(text.replace("\n", " ")))
    return [part for part in parts if WORDS[0] <= len(part.split()) <= WORDS[1]]


def _correctness(data: Path, evidence: Path) -> Iterator[Example]:
    for r in read_records(data, "correctness"):
        yield _answer(r["query"], r["response"], r["expected"], r["label"], r["source"], 0.7)
    for name, weight in (("evouna_qa", 3.0), ("openqa_nq301", 8.0), ("truthfulqa_judged", 2.0)):
        for r in read_set(evidence, name):
            accepted = r["meta"].get("answers") or r["meta"].get("correct") or [r["reference"]]
            for expected in accepted[:TAKEN]:
                share = weight / min(len(accepted), TAKEN)
                one = _answer(r["query"], r["response"], expected, r["label"], name, share)
                yield one._replace(fold=_fold(r))
    for r in read_records(data, "support"):
        if r["source"] == "paws":
            right = int(r["label"] == ENTAILED)
            yield Example("correctness", r["b"], f" | {r['a']}", right, "paws")
        elif r["source"] in ("breaking_nli", "negation_nli") and r["label"] == CONTRADICTED:
            yield Example("correctness", r["b"], f" | {r['a']}", 0, r["source"], 0.5)
    yield from _short_answers(data)


def _answer(
    query: str, response: str, expected: str, label: int, source: str, weight: float
) -> Example:
    return Example("correctness", response, f"{query} | {expected}", int(label), source, weight)


def _questions(data: Path) -> list[tuple[str, str, str]]:
    """Question, right answer and context of the public question answering pairs."""
    found = []
    for r in read_records(data, "support"):
        if r["source"] == "halueval_qa" and r["label"] == ENTAILED:
            query, mark, answer = r["b"].rpartition("?")
            if mark and answer.strip():
                found.append((query + mark, answer.strip(), r["a"]))
    return found


def _short_answers(data: Path) -> Iterator[Example]:
    """Right answers as people word them, and answers to other questions."""
    chance = Random(SEED + 1)
    known = _questions(data)
    for query, answer, _ in known:
        form = chance.choice(OPENINGS) + chance.choice(ANSWERS)
        yield _answer(query, form.format(answer), answer, 1, "short", 0.5)
        other = chance.choice(known)[1]
        if other.lower() != answer.lower():
            yield _answer(query, form.format(other), answer, 0, "short", 0.5)
        for edited in edits_of(answer, chance):
            right = int(edited.label == ENTAILED)
            yield _answer(query, form.format(edited.text), answer, right, "short", 0.7)


def _relevance(data: Path, evidence: Path) -> Iterator[Example]:
    chance = Random(SEED + 2)
    for r in read_set(evidence, "truthfulqa_informative"):
        yield _reply(r["query"], r["response"], r["label"], "informative", 2.0, _fold(r))
    known = [(query, answer, -1) for query, answer, _ in _questions(data)]
    for name in ("evouna_qa", "halueval_general", "alce_utility"):
        known += [(r["query"], r["response"], _fold(r)) for r in read_set(evidence, name)]
    groups: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    for r in read_set(evidence, "xquad_ar_en"):
        if r["label"] == 1:
            meta = r["meta"]
            groups[meta["group"]].append((r["query"], meta["answer_en"], _fold(r)))
    for rows in groups.values():
        for query, answer, fold in rows:
            yield _reply(query, answer, 1, "xquad", 1.0, fold)
            other = chance.choice(rows)
            if other[0] != query:
                yield _reply(query, other[1], 0, "xquad", 1.0, fold)
    for query, answer, fold in known:
        yield _reply(query, answer, 1, "own", 0.7, fold)
        other = chance.choice(known)
        if other[0] != query:
            yield _reply(query, other[1], 0, "other", 0.7, fold)


def _reply(query: str, response: str, label: int, source: str, weight: float, fold: int) -> Example:
    return Example("relevance", response, query, int(label), source, weight, fold)


def _refusal(data: Path, evidence: Path) -> Iterator[Example]:
    for r in read_records(data, "refusal"):
        if r.get("kind") != "evades":
            yield Example("refusal", r["response"], r["query"], r["label"], r["source"])
    for r in read_set(evidence, "xstest_refusal"):
        label = int(r["label"])
        yield Example("refusal", r["response"], r["query"], label, "xstest", OWN_WEIGHT, _fold(r))
    for r in _ordinary(evidence):
        yield Example("refusal", r["response"], r.get("query", ""), 0, "ordinary", 0.5, _fold(r))


def _ordinary(evidence: Path) -> Iterator[dict[str, Any]]:
    """Everyday answers."""
    for name in ORDINARY:
        yield from read_set(evidence, name)[:ORDINARY_EACH]


def _toxicity(data: Path, evidence: Path) -> Iterator[Example]:
    for r in read_records(data, "toxicity"):
        if r["lang"] != "ar" and r["source"] != "mlma_en" and r["kind"] not in OTHER_TOXICITY:
            weight = 0.6 if r["source"] == "edos" and not r["label"] else 1.0
            yield _text("toxicity", r["text"], r["label"], r["source"], weight)
    for name in ("davidson_offensive", "openai_moderation"):
        for r in read_set(evidence, name):
            yield _text("toxicity", r["response"], r["label"], name, OWN_WEIGHT, _fold(r))
    yield from _harmless("toxicity", evidence)


def _text(
    head: str, text: str, label: int, source: str, weight: float = 1.0, fold: int = -1
) -> Example:
    return Example(head, text, "", int(label), source, weight, fold)


def _harmless(head: str, evidence: Path) -> Iterator[Example]:
    for text in harmless_texts():
        yield _text(head, text, 0, "harmless")
    for r in _ordinary(evidence):
        yield _text(head, r["response"], 0, "ordinary", 0.5, _fold(r))


def _injection(data: Path, evidence: Path) -> Iterator[Example]:
    for r in read_records(data, "injection"):
        if r.get("lang", "en") == "en":
            yield _text("injection", r["text"], r["label"], r["source"])
    for text in harmless_sentences():
        yield _text("injection", text, 0, "harmless")
    for r in read_set(evidence, "prompt_injection"):
        yield _text("injection", r["query"], r["label"], "prompt_injection", OWN_WEIGHT, _fold(r))
    for r in read_set(evidence, "bipia_indirect"):
        yield from _planted(r)
    for name in ("begin", "wice_citation", "faithdial_audit"):
        for r in read_set(evidence, name)[:ORDINARY_EACH]:
            for piece in pieces(r["contexts"][0])[:2]:
                yield _text("injection", piece, 0, "context", 0.5, _fold(r))


def pieces(text: str, size: int = 60) -> list[str]:
    """A long text in parts of so many words, as it is looked through for planted orders."""
    words = text.split()
    return [" ".join(words[at : at + size]) for at in range(0, len(words), size)]


def _planted(record: dict[str, Any]) -> Iterator[Example]:
    """Parts of a retrieved text, with the planted order and without."""
    attack = record["meta"].get("attack_text", "")
    fold = _fold(record)
    for context in record["contexts"]:
        if attack and attack in context:
            before, _, after = context.partition(attack)
            around = " ".join([*before.split()[-25:], attack, *after.split()[:25]])
            yield _text("injection", around, 1, "bipia", OWN_WEIGHT, fold)
            yield _text("injection", attack, 1, "bipia", 1.0, fold)
            context = f"{before} {after}"
        for piece in pieces(context)[:6]:
            yield _text("injection", piece, 0, "bipia", 0.5, fold)


def _bias(data: Path, evidence: Path) -> Iterator[Example]:
    for r in read_records(data, "bias"):
        yield _text("bias", r["text"], r["label"], r["source"])
    for r in read_set(evidence, "crows_pairs"):
        yield _text("bias", r["response"], r["label"], "crows_pairs", 1.0, _fold(r))
    yield from _harmless("bias", evidence)


def _harm(data: Path, evidence: Path) -> Iterator[Example]:
    """Help with what harms: what a jailbroken model wrote."""
    for r in read_records(data, "refusal"):
        if r["kind"] != "evades":
            yield _text("harm", r["response"], 1 - r["label"], r["source"])
    for r in read_set(evidence, "xstest_refusal"):
        is_harmful = r["label"] == 0 and not r["meta"]["prompt_safe"]
        yield _text("harm", r["response"], int(is_harmful), "xstest", OWN_WEIGHT, _fold(r))
    yield from _harmless("harm", evidence)


def sources_of(found: Sequence[Example]) -> list[str]:
    """`head:source` of all examples, each once."""
    return sorted({f"{one.head}:{one.source}" for one in found})
