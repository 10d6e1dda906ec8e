from assay.core import Result, metric
from assay.core.trajectory_rules import TrajectoryRules
from assay.core.wording import counted
from assay.features.offered_tools import Tools
from assay.features.tool_calls import Calls
from assay.scoring.call_fit import Order, fit_calls

SHOWN = 20
"""Problems that are listed in the details; the explanation counts all."""


@metric(
    id="agent.tool_calls",
    inputs=(),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=1.0,
    version=6,
    aliases=("tool_correctness", "tool_call_accuracy", "tool_call_f1"),
    exact=True,
)
def tool_calls(
    made_calls: Calls | None,
    wanted_calls: Calls | None,
    offered_tools: Tools | None,
    checked_rules: TrajectoryRules | None,
    *,
    order: Order = "auto",
) -> Result:
    """Whether the tool calls do what was expected.

        value = expected calls made as expected / max(calls made, calls expected)

    Calls of the same name are paired so that most fit. A call fits when it did not fail and every
    argument says what is expected: numbers by value, dates and times by the moment, identifiers
    letter by letter, names and free text by content ("2x daily" is "twice a day"), lists in any
    order unless they are numbers or their name says that order counts, objects key by key, values
    of an `enum` exactly. The definitions of the tools (`tools`), where the sample has them, decide
    the rest: an argument may be left out where the expected value is the default, a required one
    may not, and one that the tool does not take is wrong. An expected argument
    `{"any_of": [...]}` accepts several values; an expected call without arguments asks for the name
    alone.

    The order of two calls counts where one of them changes something that both name, such as
    creating a folder and moving a file into it, and where a description says which tool comes first
    ("must be called before any other tool"); `order = "strict"` and `"any"` say otherwise. No call
    where none was expected scores 1. Where the sample's `trajectory_rules` say how the calls are to
    be compared (`match`), that is for `agent.trajectory_match`, and there is no value here.

    Blind spots: what a tool gave back is not looked at, another way to the same goal counts as
    wrong, and a free-text argument in quite other words does, too.
    """
    if made_calls is None or wanted_calls is None:
        absent = "tool_calls" if made_calls is None else "expected_tool_calls"
        return Result.missing(f"The sample has no {absent!r}.")
    if checked_rules is not None and checked_rules.match is not None:
        return Result.missing("The sample's 'trajectory_rules' compare its calls by 'match'.")
    most = max(len(made_calls), len(wanted_calls))
    if not most:
        return Result(1.0, "No call was expected and none was made.")
    result = fit_calls(made_calls, wanted_calls, offered_tools or {}, order)
    summary = f"{result.right} of {len(wanted_calls)} expected calls were made as expected"
    rest = len(result.problems) - 1
    more = f" and {counted(rest, 'more problem')}" if rest > 0 else ""
    reason = f": {result.problems[0]}{more}" if result.problems else ""
    return Result(
        result.right / most, f"{summary}{reason}.", details={"problems": result.problems[:SHOWN]}
    )
