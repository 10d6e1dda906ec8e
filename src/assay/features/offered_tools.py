"""The tools that an agent was offered, by name, in whatever form their definitions came."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from assay.core import feature

MAX_DESCRIPTION = 1000
"""Characters of a description that are read."""
_INNER = ("function", "toolSpec")
_SCHEMAS = ("parameters", "input_schema", "inputSchema", "schema")


class Tool(NamedTuple):
    """A tool and the parameters that it takes."""

    name: str
    parameters: Mapping[str, Mapping[str, Any]]
    """Parameter → its part of the JSON Schema."""
    required: frozenset[str]
    is_closed: bool
    """Whether the definition lists all parameters."""
    description: str = ""


Tools = Mapping[str, Tool]


@feature()
def offered_tools(
    tools: tuple[Any, ...] | None = None, metadata: Mapping[str, Any] | None = None
) -> Tools:
    """The tools that were offered, by name; empty where the sample does not say."""
    given = tools if tools is not None else (metadata or {}).get("tools")
    result = [read_tool(entry) for entry in given] if isinstance(given, list | tuple) else []
    return {tool.name: tool for tool in result if tool.name}


def read_tool(given: Any) -> Tool:
    """A definition as OpenAI, Anthropic, MCP and others write it; names alone are enough."""
    if not isinstance(given, Mapping):
        return Tool(given if isinstance(given, str) else "", {}, frozenset(), False)
    inner = next((given[key] for key in _INNER if isinstance(given.get(key), Mapping)), given)
    name = inner.get("name")
    schema: Mapping[str, Any] = next(
        (inner[key] for key in _SCHEMAS if isinstance(inner.get(key), Mapping)), {}
    )
    if isinstance(schema.get("json"), Mapping):
        schema = schema["json"]
    listed = schema.get("properties")
    properties = listed if isinstance(listed, Mapping) else {}
    required = schema.get("required")
    return Tool(
        name if isinstance(name, str) else "",
        {key: part for key, part in properties.items() if isinstance(part, Mapping)},
        frozenset(r for r in required if isinstance(r, str))
        if isinstance(required, list)
        else frozenset(),
        isinstance(listed, Mapping) and not schema.get("additionalProperties"),
        str(inner.get("description") or "")[:MAX_DESCRIPTION],
    )
