"""What two texts say differently: numbers, dates, negation, opposites, names and roles, by rule.

`read(text)` reads a text once; `differences(claim, reference)` names what the claim says otherwise
than the reference, with the places in both. English and Arabic; pure functions in linear time.
"""

from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.differences import differences
from assay.meaning.figures import Figure
from assay.meaning.reading import TextReading, read
from assay.meaning.words import Word, arabic_stem

__all__ = ["ClaimDifference", "Figure", "TextReading", "Word", "arabic_stem", "differences", "read"]
