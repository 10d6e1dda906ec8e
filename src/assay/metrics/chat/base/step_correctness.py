from collections.abc import Sequence

from assay.core import Result, Span, metric
from assay.core.bounds import clamp
from assay.features.embeddings import Vectors
from assay.features.similarity import Vector
from assay.features.steps import Steps
from assay.textproc.cosine import cosine

STEP_WEIGHT = 0.7
OVERALL_WEIGHT = 0.3


def step_correctness_rule(
    step_similarities: Sequence[float] | None, overall_similarity: float | None
) -> float | None:
    """The mean similarity of the steps and that of the whole, weighted; the whole without steps."""
    if overall_similarity is None:
        return None
    if not step_similarities:
        return clamp(overall_similarity)
    mean = sum(step_similarities) / len(step_similarities)
    return clamp(STEP_WEIGHT * mean + OVERALL_WEIGHT * overall_similarity)


@metric(
    id="chat.step_correctness",
    inputs=("response", "expected"),
    range=(0.0, 1.0),
    polarity="higher",
    version=2,
    tags=("model", "proxy"),
    formula=step_correctness_rule,
)
def step_correctness(
    response_steps: Steps,
    response_steps_embeddings: Vectors,
    response_embedding: Vector,
    expected_embedding: Vector,
) -> Result:
    """How similar the response's steps are to the expected answer.

        value = 0.7 · mean similarity(step, expected) + 0.3 · similarity(response, expected)

    Without steps it is the similarity of response and expected answer. The PyAI-Slayer guide's
    target is 0.9.

    Blind spots: a step is compared with the whole expected answer, so a right step that covers a
    part of it scores low, and a wrong one in the same words scores high.
    """
    overall = cosine(response_embedding, expected_embedding)
    similarities = [cosine(vector, expected_embedding) for vector in response_steps_embeddings]
    value = step_correctness_rule(similarities, overall)
    return Result(
        value,
        f"{len(response_steps)} steps; the similarity of response and expected answer is "
        f"{overall:.2f}.",
        tuple(
            Span("response", step.start, step.end, f"similarity {similarity:.2f}")
            for step, similarity in zip(response_steps, similarities, strict=True)
        ),
        {"step_similarities": similarities, "overall_similarity": overall},
    )
