"""The MCP server, spoken to as its clients do: over standard input and output."""

import asyncio
import json
import sys

import pytest
from mcp import StdioServerParameters
from mcp.client import Client

from assay import registry
from assay.backends import Backends
from assay.mcp_server import make_server
from assay.runner import score
from assay.runner.json_calls import compare_json
from assay.settings import Settings


def ask(tool, arguments, server=None):
    async def call():
        async with Client(
            server or make_server(Settings.load(overrides={"embedder": "fake"}))
        ) as client:
            return await client.call_tool(tool, arguments)

    return asyncio.run(call())


def content(answer):
    assert not answer.is_error, answer
    found = answer.structured_content
    return found["result"] if set(found) == {"result"} else found


def test_a_client_that_starts_the_command_finds_the_tools_and_gets_scores():
    command = StdioServerParameters(command=sys.executable, args=["-m", "assay", "mcp"])

    async def talk():
        async with Client(command) as client:
            tools = await client.list_tools()
            answer = await client.call_tool(
                "score",
                {"sample": {"response": "Write to a@b.example."}, "metrics": ["text.safety"]},
            )
            return {tool.name: tool for tool in tools.tools}, answer

    tools, answer = asyncio.run(talk())
    assert set(tools) == {"score", "compare_json", "metrics"}
    assert all(tool.description and tool.input_schema for tool in tools.values())
    result = content(answer)["scores"]["text.safety"]
    assert (result["value"], result["passed"]) == (0.85, False)
    assert result["evidence"] == [{"field": "response", "start": 9, "end": 20, "label": "email"}]


def test_score_says_what_the_python_call_says():
    sample = {"query": "Who?", "response": "Nobody.", "expected": "Nobody."}
    found = content(ask("score", {"sample": sample, "metrics": ["text"]}))
    own = score(**sample, metrics=["text"], backends=Backends(embedder="fake"))
    assert found["scores"] == json.loads(json.dumps(own.to_json()["scores"]))
    assert (found["score"], found["passed"]) == (own.score, own.passed)


def test_compare_json_says_what_the_python_call_says():
    documents = {"ground_truth": {"name": "Ann", "age": 3}, "output": '{"name": "Anne", "age": 3}'}
    found = content(ask("compare_json", {**documents, "strategies": {"name": "FUZZY"}}))
    own = compare_json(**documents, strategies={"name": "FUZZY"})
    assert found == json.loads(json.dumps(own.to_json()))
    assert found["field_scores"][0]["match_strategy"] == "FUZZY"


def test_metrics_lists_them_and_gives_one_with_its_rule():
    everything = content(ask("metrics", {}))
    assert [entry["id"] for entry in everything] == [m.id for m in registry.select(["all"])]
    (one,) = content(ask("metrics", {"selector": "text.safety"}))
    assert one["documentation"] == registry.metrics()["text.safety"].documentation
    assert "documentation" not in everything[0]


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("score", {"sample": {"response": "x"}, "metrics": ["text.nothing"]}, "text.nothing"),
        ("score", {"sample": {}}, "nothing to score"),
        ("score", {"sample": {"response": "x"}, "profile": "/etc/passwd.toml"}, "unknown profile"),
        ("compare_json", {"ground_truth": "{", "output": {}}, "ground truth"),
        ("compare_json", {"ground_truth": {}, "output": {}, "strategies": "f.toml"}, "strategies"),
    ],
)
def test_a_wrong_call_is_told_to_the_caller(tool, arguments, said):
    answer = ask(tool, arguments)
    assert answer.is_error
    assert said in answer.content[0].text


@pytest.mark.parametrize("metrics", [["text"], ["chat.security"]])
def test_a_sample_that_names_a_file_is_only_text(metrics, tmp_path):
    secret = tmp_path / "secret.jsonl"
    secret.write_text('{"response": "CANARY-7731"}')
    found = ask(
        "score", {"sample": {"response": str(secret), "query": f"@{secret}"}, "metrics": metrics}
    )
    assert "CANARY-7731" not in str(found)
