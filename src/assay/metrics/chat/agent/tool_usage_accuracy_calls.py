from collections.abc import Sequence
from typing import Any

from assay.core import Result, metric
from assay.features.tool_calls import Calls, Pair, match, wrong_arguments

SHOWN = 10
"""At most this many calls of a kind are named in the details; the explanation counts all."""
MAX_NAME = 100


@metric(
    id="chat.tool_usage_accuracy_calls",
    inputs=(),
    range=(0.0, 100.0),
    polarity="higher",
    unit="%",
)
def tool_usage_accuracy_calls(made_calls: Calls | None, wanted_calls: Calls | None) -> Result:
    """How well the tool calls that were made fit those that were expected.

    Calls are paired, whatever their order, so that the fits add up to most. A call fits one of the
    same name by the share of arguments (of either) that are equal; a call that failed does not fit:

        value = Σ fit of pairs / max(calls made, calls expected) · 100

    Where the sample has no `expected_tool_calls`, it is the share of calls that succeeded, among
    those that tell (`success`, `is_error`, `error`, `status`). Without `tool_calls`, or where
    neither expectation nor outcome is known, there is no score. No call where none was expected
    scores 100. Arguments may be JSON text; numbers are compared by value, also where one is text;
    an expected call without arguments asks for the name alone.

    Blind spots: the order of calls does not matter, equal arguments must be spelt alike, and what a
    tool gave back is not examined.
    """
    if made_calls is None:
        return Result.missing("The sample has no 'tool_calls'.")
    if wanted_calls is None:
        return _outcomes(made_calls)
    most = max(len(made_calls), len(wanted_calls))
    if not most:
        return Result(100.0, "No call was expected and none was made.")
    pairs = match(made_calls, wanted_calls)
    perfect = sum(pair.fit == 1 for pair in pairs)
    return Result(
        min(100.0, 100.0 * sum(pair.fit for pair in pairs) / most),
        f"{perfect} of {len(wanted_calls)} expected calls were made as expected, in "
        f"{len(made_calls)} calls.",
        details=_details(made_calls, wanted_calls, pairs),
    )


def _outcomes(made: Calls) -> Result:
    """The share of calls that succeeded."""
    known = [call for call in made if call.succeeded is not None]
    if not known:
        return Result.missing("The sample has no 'expected_tool_calls' and no call tells its end.")
    good = sum(call.succeeded is True for call in known)
    return Result(
        100.0 * good / len(known),
        f"{good} of {len(known)} calls succeeded.",
        details={"failed": [c.name[:MAX_NAME] for c in known if not c.succeeded][:SHOWN]},
    )


def _details(made: Calls, expected: Calls, pairs: Sequence[Pair]) -> dict[str, Any]:
    """Which calls lack, which are too many, and which arguments differ."""
    paired, met = {pair.made for pair in pairs}, {pair.expected for pair in pairs}
    return {
        "missing": [c.name[:MAX_NAME] for n, c in enumerate(expected) if n not in met][:SHOWN],
        "unexpected": [c.name[:MAX_NAME] for n, c in enumerate(made) if n not in paired][:SHOWN],
        "differing": [
            {
                "call": pair.made,
                "name": made[pair.made].name[:MAX_NAME],
                "failed": made[pair.made].succeeded is False,
                "arguments": [
                    key[:MAX_NAME]
                    for key in sorted(wrong_arguments(made[pair.made], expected[pair.expected]))
                ][:SHOWN],
            }
            for pair in pairs
            if pair.fit < 1
        ][:SHOWN],
    }
