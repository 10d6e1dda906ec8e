from collections.abc import Iterable, Mapping, Sequence

from assay.core import Metric, Result, metric
from assay.data.rubric_steps import Checklist, steps_of
from assay.data.rubrics import Rubric, Scale, rubric, rubric_names
from assay.features.rubric_verdicts import Judged
from assay.scoring.judged_rubrics import rubric_result

CHECKLIST_RULE = "weight of items that hold / weight of those that apply; 0 without a required one"
TREE_RULE = "the score at the end of the way through the questions"
_USUAL_BLIND_SPOTS = "a judge may be wrong, may be led astray by a text, and may change its mind"


def bundled_metrics() -> list[Metric]:
    """The metrics of the bundled rubrics."""
    return [rubric_metric(rubric(name)) for name in rubric_names()]


def rubric_metric(rubric: Rubric) -> Metric:
    """The metric `judge.<name>` that a rubric makes."""

    def score(rubric_verdicts: Mapping[str, Judged]) -> Result:
        return rubric_result(rubric, rubric_verdicts.get(rubric.name))

    score.__name__ = rubric.name
    score.__doc__ = _documentation(rubric)
    declare = metric(
        id=f"judge.{rubric.name}",
        inputs=rubric.inputs,
        range=rubric.range,
        polarity=rubric.polarity,
        threshold=rubric.threshold,
        version=rubric.version,
        tags=("model", "judge"),
        rubric=rubric,
    )
    return declare(score)


def _documentation(rubric: Rubric) -> str:
    """The metric's page."""
    scale = rubric.answers
    if rubric.steps:
        lines = [f"    {step.id}: {step.question}" for step in steps_of(rubric.steps)]
        is_checklist = isinstance(rubric.steps, Checklist)
        rule = f"value = {CHECKLIST_RULE if is_checklist else TREE_RULE}"
    elif isinstance(scale, Scale):
        lines = [f"    {number:g}: {meaning}" for number, meaning in scale.anchors]
        rule = "value = the judge's number, the mean of several verdicts"
    else:
        lines = [f"    {c.value:g}: {c.label!r}, {c.meaning}" for c in scale]
        rule = "value = the number of the judge's choice, the commonest of several verdicts"
    return "\n".join(
        [
            f"{rubric.title.rstrip('.')}.",
            "",
            "A judge reads this question together with the fields that it needs:",
            "",
            *_quoted(rubric.question),
            "",
            f"    {rule}",
            *lines,
            "",
            _emptiness(rubric),
            "Without a judge (setting `judge`) there is no value.",
            *_shown_too(rubric.optional),
            "",
            f"Blind spots: {rubric.blind_spots or _USUAL_BLIND_SPOTS}.",
        ]
    )


def _quoted(text: str) -> Iterable[str]:
    return [f"> {line}".rstrip() for line in text.splitlines()]


def _emptiness(rubric: Rubric) -> str:
    if "response" not in rubric.inputs or rubric.degenerate == "ask":
        return "An empty response is shown to the judge too."
    gets = "gets the worst value" if rubric.degenerate == "lowest" else "has no value"
    return (
        "A response that says nothing (blank, punctuation alone, an opening such as "
        f'"Thought process:", the query said again) {gets} and is not shown to the judge.'
    )


def _shown_too(optional: Sequence[str]) -> list[str]:
    if not optional:
        return []
    return [f"Where the sample has them, the judge also sees: {', '.join(optional)}."]
