"""What people say of tests."""

import pytest
from tests.store.scored import make_samples, stored_run

from assay.core import NotFoundError, UsageError
from assay.store.audit import AuditFilter, AuditStamp, list_entries
from assay.store.feedback import add_feedback, answer_feedback, list_feedback
from assay.store.schema import test_id as id_of

ANN = AuditStamp("ann", 10.0)


def test_feedback_is_kept_and_answered(store):
    run = stored_run(store, make_samples(2))
    test = id_of(run.id, 1)
    given = add_feedback(store, test, {"accuracy": 5, "clarity": 1}, "Fine.", ANN)
    assert add_feedback(store, test, {"accuracy": 5, "clarity": 1}, "Fine.", ANN) == given
    add_feedback(store, id_of(run.id, 0), {}, "\0", AuditStamp("bob", 11.0))
    answered = answer_feedback(store, given.id, "Thanks.", ANN)
    assert (answered.response, answered.ratings) == ("Thanks.", {"accuracy": 5, "clarity": 1})
    assert list_feedback(store, test) == ([answered], 1)
    everything, total = list_feedback(store)
    assert ([entry.comment for entry in everything], total) == (["\ufffd", "Fine."], 2)
    actions = [entry.action for entry in list_entries(store, AuditFilter())[0]]
    assert actions == ["feedback.answered", "feedback.given", "feedback.given"]


@pytest.mark.parametrize(
    "ratings", [{"beauty": 3}, {"accuracy": 0}, {"accuracy": 6}, {"accuracy": True}]
)
def test_ratings_are_the_documented_ones_from_1_to_5(store, ratings):
    with pytest.raises(UsageError, match="rating"):
        add_feedback(store, 1, ratings, "", ANN)


def test_what_is_not_there_cannot_be_rated_or_answered(store):
    with pytest.raises(NotFoundError, match="no test"):
        add_feedback(store, 1, {"accuracy": 3}, "", ANN)
    with pytest.raises(NotFoundError, match="no feedback 7"):
        answer_feedback(store, 7, "Thanks.", ANN)
