"""Assay's measures as tools of the Model Context Protocol: `score`, `compare_json`, `metrics`.

A language model decides what the tools are given, so they take values and names only: no tool
reads a file, writes one, or contacts anybody whom the operator's settings do not name.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

from assay import registry
from assay.core import AssayError, Metric, UsageError
from assay.core.extras import require
from assay.data import Profile, profile_names
from assay.data import profile as read_profile
from assay.runner import make_job
from assay.runner.execute import RunRequest, execute_one
from assay.runner.json_calls import compare_json as compare
from assay.samples import to_sample
from assay.settings import Settings
from assay.version import __version__

INSTRUCTIONS = (
    "Assay measures the quality of answers of AI systems, offline and deterministically. Call "
    "'metrics' to see what can be measured, 'score' to score one answer, 'compare_json' to compare "
    "a JSON output with its ground truth. A score whose state is not 'ok' is no score: its "
    "explanation says why."
)
Arguments = ParamSpec("Arguments")


def make_server(settings: Settings) -> Any:
    """The MCP server with its three tools; the operator's settings say what counts and how."""
    server = require("mcp.server", "mcp").MCPServer(
        "assay", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING"
    )

    def score(
        sample: dict[str, Any], metrics: list[str] | None = None, profile: str | None = None
    ) -> dict[str, Any]:
        """Score one answer.

        `sample` holds its fields: response, query, expected, contexts, … `metrics` are selectors
        such as "text", "chat.rag", "text.safety" or "@rules"; without them and without a `profile`
        what the operator has set is scored, else the family "text". `profile` is the name of a
        bundled profile.
        """
        own = settings.override({"metrics": tuple(metrics) if metrics else None})
        request = RunRequest(
            items=[to_sample(sample, "sample-1")],
            job=make_job(own, profile=_profile(profile)),
            settings=own,
        )
        (_, scores), _ = execute_one(request)
        return {
            **scores.to_json(),
            "score": scores.score,
            "passed": scores.passed,
            "verdict": scores.verdict,
        }

    def compare_json(
        ground_truth: Any,
        output: Any,
        strategies: dict[str, Any] | None = None,
        repair: bool = False,
    ) -> dict[str, Any]:
        """Compare a JSON output with its ground truth, field by field.

        `strategies` says how fields are compared: {"name": "FUZZY", "notes": "IGNORE"}. With
        `repair` an output that is damaged JSON text is read as well as it can be.
        """
        backends = settings.backends()
        return compare(ground_truth, output, strategies, repair=repair, backends=backends).to_json()

    def metrics(selector: str = "all") -> list[dict[str, Any]]:
        """What can be measured; the rule and the blind spots too when `selector` is one id."""
        return [_entry(metric, with_rule=selector == metric.id) for metric in _select(selector)]

    for tool in (score, compare_json, metrics):
        server.tool()(_with_reasons(tool))
    return server


def _profile(name: str | None) -> Profile | None:
    """The bundled profile of that name; never a file. None for the one of the settings."""
    if name is None:
        return None
    if name not in profile_names():
        known = ", ".join(profile_names())
        raise UsageError(f"unknown profile {name!r}; expected one of {known}")
    return read_profile(name)


def _select(selector: str) -> tuple[Metric, ...]:
    return registry.select([part.strip() for part in selector.split(",") if part.strip()])


def _entry(metric: Metric, *, with_rule: bool) -> dict[str, Any]:
    entry = {
        "id": metric.id,
        "summary": metric.summary,
        "inputs": list(metric.inputs),
        "range": list(metric.range),
        "unit": metric.unit,
        "polarity": metric.polarity,
        "threshold": metric.threshold,
    }
    return {**entry, "documentation": metric.documentation} if with_rule else entry


def _with_reasons(tool: Callable[Arguments, Any]) -> Callable[Arguments, Any]:
    """The tool with our own errors told to the model that called it, in a sentence."""
    tool_error = require("mcp.server.mcpserver.exceptions", "mcp").ToolError

    @wraps(tool)
    def call(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Any:
        try:
            return tool(*args, **kwargs)
        except AssayError as error:
            raise tool_error(str(error)) from None

    return call
