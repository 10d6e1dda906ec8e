"""ROUGE: shared words, shared pairs of words, and the longest common sequence of words.

Lin (2004). `rouge_tokens` is the documented tokeniser, which reads Latin letters without accents
and digits only; `unicode_tokens` reads every script.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from assay.textproc.language import is_other_script, language_of
from assay.textproc.normal import normalise
from assay.textproc.overlap import share_ratio, shared
from assay.textproc.stem import stems
from assay.textproc.words import Words

LONGEST = 30_000
"""ROUGE-L reads this many words of each text after the first difference, as its time grows with the
product of both."""
_KEPT = bytes(code if chr(code).isalnum() and code < 128 else 32 for code in range(256))


class Rouge(NamedTuple):
    """ROUGE scores of a candidate, by their documented names."""

    rouge1_f1: float
    rouge2_f1: float
    rougeL_f1: float  # noqa: N815 -- the score's own name
    rouge1_precision: float
    rouge1_recall: float
    truncated: bool = False
    """Whether ROUGE-L leaves out the end of a very long text."""

    @property
    def explanation(self) -> str:
        """The three scores in a sentence."""
        return f"ROUGE-1 {self[0]:.3f}, ROUGE-2 {self[1]:.3f}, ROUGE-L {self[2]:.3f}."


def rouge_tokens(text: str) -> list[str]:
    """The stems of what the documented tokeniser finds: runs of a–z and 0–9 in lower case."""
    return stems(blanked(text.lower()).split())


def blanked(text: str) -> str:
    """The text with a blank for each character that the documented tokeniser drops; case stays."""
    return text.encode("ascii", "replace").translate(_KEPT).decode("ascii")


def unicode_tokens(words: Words) -> list[str]:
    """The words of any script, those of plain Latin letters as stems."""
    return stems(words.all)


def text_tokens(text: str) -> list[str]:
    """The words of any script in a text."""
    return unicode_tokens(Words(normalise(text)))


def is_foreign(text: str) -> bool:
    """Whether a text is in another script than Latin, which the documented tokeniser drops."""
    return is_other_script(language_of(text))


def rouge_scores(reference: Sequence[str], candidate: Sequence[str]) -> Rouge:
    """The scores of a candidate against a reference, both as tokens; 0 without tokens."""
    precision, recall, f1 = share_ratio(
        shared(reference, candidate), len(candidate), len(reference)
    )
    pairs = shared(list(pairwise(reference)), pairwise(candidate))
    end = _same_head(reference, candidate) + LONGEST
    read, by = reference[:end], candidate[:end]
    return Rouge(
        rouge1_f1=f1,
        rouge2_f1=share_ratio(pairs, len(candidate) - 1, len(reference) - 1)[2],
        rougeL_f1=share_ratio(common_length(read, by), len(by), len(read))[2],
        rouge1_precision=precision,
        rouge1_recall=recall,
        truncated=max(len(reference), len(candidate)) > end,
    )


def common_length(a: Sequence[str], b: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    from rapidfuzz.distance import LCSseq

    return LCSseq.similarity(a, b)


def _same_head(a: Sequence[str], b: Sequence[str]) -> int:
    """How many words both begin with; a longest common subsequence may always keep them."""
    if a == b:
        return len(a)
    return next((place for place, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), 0)
