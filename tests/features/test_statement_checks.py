"""What all sentences around say to a statement."""

from itertools import pairwise

from benchmarks.exam import all_cases

from assay.features._statement_checks import CHECKS, JUDGES
from assay.meaning import ClaimDifference, read
from assay.textproc.normal import normalise


def readings(text):
    normal = normalise(text)
    return [read(part, part.lower()) for part in normal.text.split(". ") if part]


def test_every_check_reads_any_statement_beside_any_passage():
    """Statements meet their own passage and that of the next case, in both languages."""
    cases = [case["sample"] for case in all_cases() if case["job"] == "faithfulness"]
    verdicts = set()
    for case, following in pairwise(cases):
        for claim in readings(case["response"])[:2]:
            for own in (case, following):
                near = [one for text in own["contexts"] for one in readings(str(text))]
                verdicts |= {type(check(claim, near)) for check in CHECKS}
                verdicts |= {type(judge(claim, near)) for judge, _ in JUDGES}

    assert verdicts == {type(None), bool, ClaimDifference}
