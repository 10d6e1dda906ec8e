from assay.core import Result, metric


@metric(
    id="chat.task_completion",
    inputs=("task_completed",),
    range=(0.0, 100.0),
    polarity="higher",
    unit="%",
)
def task_completion(task_completed: bool) -> Result:
    """Whether the task was completed.

        value = 100 if the task was completed, else 0

    Without that fact there is no score; it is not guessed from the response.

    Blind spots: it is as reliable as the source of that fact.
    """
    if task_completed:
        return Result(100.0, "The task was completed.")
    return Result(0.0, "The task was not completed.")
