from assay.core import Result, metric


@metric(
    id="chat.error_recovery",
    inputs=("errors_encountered", "task_completed"),
    range=(0.0, 100.0),
    polarity="higher",
    unit="%",
)
def error_recovery(errors_encountered: int, task_completed: bool) -> Result:
    """Whether the task was completed in spite of errors.

        value = 100 if there were no errors, or the task was completed in spite of them, else 0

    Blind spots: a task that failed without an error scores 100, because there was nothing to
    recover from; one error counts as much as fifty.
    """
    if not errors_encountered:
        return Result(100.0, "There were no errors to recover from.")
    verb = "was" if task_completed else "was not"
    return Result(
        100.0 if task_completed else 0.0,
        f"The task {verb} completed after {errors_encountered} errors.",
    )
