"""What people say of judged answers, and what is answered to them."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query

from assay.core import UsageError
from assay.server.access import role
from assay.server.requests import TheChange, ThePart, TheStore, make_router
from assay.server.schemas.base import Label, Page
from assay.server.schemas.governance import FeedbackBody, FeedbackEntry, FeedbackOf, RespondBody
from assay.server.shared import test_of
from assay.store.feedback import Feedback, add_feedback, answer_feedback, list_feedback
from assay.store.statistics import iso
from assay.store.tests import shown_id

router = make_router("feedback")

FeedbackId = Annotated[int, Path(ge=1, le=2**62)]


@router.post("/v1/feedback", operation_id="add_feedback", status_code=201)
@router.post("/agent-eval/feedback", include_in_schema=False, status_code=201)
@role("write")
def add(body: FeedbackOf, store: TheStore, change: TheChange) -> FeedbackEntry:
    """Say something of the answer whose session or test is named in the body."""
    return give(body.id, FeedbackBody(**body.model_dump(exclude={"id"})), store, change)


@router.post("/v1/feedback/{id}", operation_id="give_feedback", status_code=201)
@role("write")
def give(id: Label, body: FeedbackBody, store: TheStore, change: TheChange) -> FeedbackEntry:
    """Rate an answer from 1 to 5, by its session's id or its test's, and comment on it."""
    if not body.ratings and not body.comment.strip():
        raise UsageError("the feedback is empty; expected ratings or a comment")
    ratings = {str(name): value for name, value in body.ratings.items()}
    test = test_of(store, id)
    return feedback_entry(add_feedback(store, test, ratings, body.comment, change))


@router.get("/v1/feedback", operation_id="list_feedback")
@router.get("/agent-eval/feedback", include_in_schema=False)
@role("read")
def get_feedback(
    store: TheStore, part: ThePart, id: Annotated[Label | None, Query()] = None
) -> Page[FeedbackEntry]:
    """Feedback, the newest first, on all answers or on one."""
    test = None if id is None else test_of(store, id)
    result, total = list_feedback(store, test, part.limit, part.offset)
    return part.page(map(feedback_entry, result), total)


@router.post("/v1/feedback/{feedback_id}/respond", operation_id="respond_to_feedback")
@router.post("/agent-eval/feedback/{feedback_id}/respond", include_in_schema=False)
@role("write")
def respond(
    feedback_id: FeedbackId, body: RespondBody, store: TheStore, change: TheChange
) -> FeedbackEntry:
    """Reply to feedback."""
    return feedback_entry(answer_feedback(store, feedback_id, body.response, change))


def feedback_entry(feedback: Feedback) -> FeedbackEntry:
    """Feedback as it is answered."""
    return FeedbackEntry(
        id=feedback.id,
        test_id=shown_id(feedback.test_id),
        created=iso(feedback.created),
        author=feedback.author,
        ratings=dict(feedback.ratings),
        comment=feedback.comment,
        response=feedback.response,
    )
