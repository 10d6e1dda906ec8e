from assay.core import Result, metric
from assay.features import Hits, Normal
from assay.features.context_attacks import ContextAttack
from assay.features.encoded import EncoderReading
from assay.features.wording import NgramWording
from assay.safety.injection import (
    LEXICON,
    MASKED,
    kind_of,
    masked_kinds,
    measures,
    probability,
    signs,
)
from assay.safety.marks import Mark, innermost
from assay.safety.placed_hits import marks, spans
from assay.scoring.combination import JointValue, joint

THRESHOLD = 0.5
"""On `prompt_injection` (dev, grouped folds): 2 % false alarms on NotInject."""


@metric(
    id="safety.injection",
    inputs=("query",),
    range=(0.0, 1.0),
    polarity="lower",
    threshold=THRESHOLD,
    version=8,
    lexicons=(LEXICON,),
    aliases=("safety.prompt_injection", "safety.jailbreak", "safety.indirect_injection"),
)
def injection(
    query_normal: Normal,
    query_hits: Hits,
    query_injection_wording: NgramWording,
    query_injection_reading: EncoderReading | None,
    context_attacks: tuple[ContextAttack, ...] | None = None,
    context_injection_reading: EncoderReading | None = None,
) -> Result:
    """How likely the query, or a retrieved context, tries to override, extract or redirect.

        value = the higher of
            query:    logistic(Σ weight · measure) of the fitted model `injection_query`
            contexts: the highest of `injection_context` over the contexts

    Measures are the kinds of attack whose patterns occur (`attack_prompts`: override, extraction,
    requests for secrets or for other people's data, jailbreak, role, authority, fake markup, text
    addressed to an assistant, exfiltration, concealment, orders about the reply, encoded payload),
    in English, Arabic and phrases of ten more languages, and the logit of an n-gram model, which
    counts little against a pattern that leaves no doubt ("drop your own limits"). A pattern inside
    quotation marks that the query talks about or wants translated, or in a sentence that asks about
    attacks, counts as talk, unless the quotation itself speaks to a machine; what "I" or somebody
    else forgot or ignored is no order. Without any pattern, a short text about everyday things (a
    poem, what "I said about the tiles") is hardly an attack, whatever its wording. Where a query
    is a whole conversation and opens with "User:", the names of its turns are no fake markup.
    Letters apart, leetspeak, base64 and other masks are undone, and an attack found behind one
    counts 0.9. Contexts are read sentence by sentence. Both values are in the details; the evidence
    lies in the field concerned.

    Blind spots: an attack in wording of its own or in a language without patterns; a polite request
    that only the system prompt forbids; a context that rightly orders something of its reader.
    """
    result = signs(query_normal.text, marks(query_normal, query_hits, LEXICON))
    logit = query_injection_wording.logit
    row = measures(query_normal.text, result, logit, 0.0)
    masked = masked_kinds(query_normal.original) - result.kinds()
    by_rules = max(probability(row), MASKED) if masked else probability(row)
    is_talk = bool(result.talk) and not result.attacks
    query = joint(by_rules, THRESHOLD, None if is_talk else query_injection_reading)
    attacks = context_attacks or ()
    worst = max(attacks, key=lambda attack: attack.probability, default=None)
    contexts = joint(worst.probability, THRESHOLD, context_injection_reading) if worst else None
    value = _worse(query, contexts)
    evidence = spans(
        query_normal, "query", innermost(Mark(kind_of(m), m.start, m.end) for m in result.attacks)
    )
    if _is_attack(query) and not evidence:
        evidence = spans(query_normal, "query", query_injection_wording.labelled())
    for attack in attacks:
        if attack.probability > THRESHOLD:
            evidence += attack.spans
    return value.result(
        _explanation(query, contexts, sorted(result.kinds() | masked), worst),
        evidence,
        {
            "query": round(query.value, 4),
            "contexts": None if contexts is None else round(contexts.value, 4),
        },
    )


def _worse(query: JointValue, contexts: JointValue | None) -> JointValue:
    """The one that lies higher above its threshold."""
    if contexts is None:
        return query
    if query.reading is None and contexts.reading is None:
        return contexts if contexts.value > query.value else query
    return max(query, contexts, key=lambda one: one.value - one.threshold)


def _is_attack(value: JointValue) -> bool:
    return value.value > value.threshold


def _explanation(
    query: JointValue, contexts: JointValue | None, kinds: list[str], worst: ContextAttack | None
) -> str:
    parts = []
    if _is_attack(query):
        parts.append(f"The query reads as an attack: {', '.join(kinds) or 'its wording'}.")
    if contexts is not None and _is_attack(contexts) and worst:
        named = ", ".join(worst.kinds) or "an instruction to the reader"
        parts.append(f"A context holds what reads as an attack: {named}.")
    return " ".join(parts) or "Nothing reads as an attempt to override, extract or redirect."
