from assay.core import Result, Span, metric


@metric(
    id="chat.tool_usage_accuracy",
    inputs=(),
    range=(0.0, 100.0),
    polarity="higher",
    unit="%",
)
def tool_usage_accuracy(
    tools_used: tuple[str, ...] | None, tools_succeeded: tuple[str, ...] | None
) -> Result:
    """How many of the tools used succeeded.

        value = distinct tools both used and succeeded / uses of tools · 100

    An empty list of tools used gives an imputed 0; without `tools_used` or `tools_succeeded` there
    is no score.

    Blind spots: the rule divides distinct tools by all uses, so used [a, a, b] with both succeeded
    gives 66.7. Whether the right tools were used, and with which arguments, is not seen:
    `chat.tool_usage_accuracy_calls` compares call by call.
    """
    if tools_used is None or tools_succeeded is None:
        absent = "tools_used" if tools_used is None else "tools_succeeded"
        return Result.missing(f"The sample has no {absent!r}.")
    if not tools_used:
        return Result.imputed(0.0, "No tool was used.")
    good = set(tools_used) & set(tools_succeeded)
    failed = [place for place, tool in enumerate(tools_used) if tool and tool not in good]
    return Result(
        100.0 * len(good) / len(tools_used),
        f"{len(good)} distinct tools succeeded in {len(tools_used)} uses of tools.",
        tuple(
            Span(f"tools_used[{place}]", 0, len(tools_used[place]), "did not succeed")
            for place in failed
        ),
    ).limited()
