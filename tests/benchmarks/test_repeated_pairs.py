"""Repeats that are taken for independent pairs give false alarms; questions do not."""

from benchmarks.repeated_pairs import false_alarms


def test_questions_as_pairs_give_few_false_alarms():
    known, unknown = (false_alarms(10, has_questions=is_known, trials=60) for is_known in (1, 0))
    assert known <= 10 < unknown
