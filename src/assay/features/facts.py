"""The response against each known fact."""

from __future__ import annotations

from itertools import islice

from assay.backends import TokenEmbedder
from assay.core import feature
from assay.features.bertscore import BertScore, bertscore
from assay.features.language import language
from assay.features.normal import normal
from assay.features.words import words
from assay.textproc.normal import Normal

Scores = tuple[BertScore, ...]


@feature(data=("bertscore_baselines.toml",), is_batch=True)
def known_facts_bertscores(
    response_normal: list[Normal],
    response_language: list[str],
    known_facts: list[tuple[str, ...]],
    token_embedder: TokenEmbedder,
) -> list[Scores]:
    """The response's BERTScore against each known fact; none without facts."""
    if not any(known_facts):
        return [()] * len(known_facts)
    facts = [normal.feature(fact) for own_facts in known_facts for fact in own_facts]
    owners = [place for place, own_facts in enumerate(known_facts) for _ in own_facts]
    scores = iter(
        bertscore(
            [response_normal[place] for place in owners],
            facts,
            [response_language[place] for place in owners],
            [language.feature(fact, words.feature(fact)) for fact in facts],
            token_embedder,
        )
    )
    return [tuple(islice(scores, len(own_facts))) for own_facts in known_facts]
