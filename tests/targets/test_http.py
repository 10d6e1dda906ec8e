import asyncio
import json
import re
from itertools import count
from pathlib import Path

import pytest
from tests.faults.server import FaultServer
from tests.faults.shapes import whole

from assay.core import Document, ProfileError, UsageError
from assay.targets.choose import open_target
from assay.targets.http import HttpSpec, HttpTarget, select
from assay.targets.protocol import Turn
from assay.wire.call_errors import CallError, Fault
from assay.wire.limits import CallLimits

LIMITS = CallLimits(first_byte=20.0, idle=20.0, total=60.0)
KEY = "key-0123456789"
TALK = [
    Turn("system", "Be brief."),
    Turn("user", "Hello?"),
    Turn("assistant", "Hello."),
    Turn("user", 'Say "{{session}}"\n{"a": 1}'),
]


class Endpoint:
    """A server that answers with what it is told to."""

    def __init__(self):
        self.answer = {"reply": "Fine."}
        self.server = FaultServer({"ask": self.play})
        self.url = self.server.url("ask")

    async def play(self, connection):
        answer = self.answer
        is_page = isinstance(answer, str) and answer.lstrip().lower().startswith("<!doctype")
        name = "text/html; charset=utf-8" if is_page else "text/plain"
        kind = (("Content-Type", name),) if isinstance(answer, str) else ()
        body = answer.encode() if isinstance(answer, str) else answer
        await whole(connection, body, headers=kind)

    @property
    def last(self):
        return self.server.requests[-1]


@pytest.fixture(scope="module")
def endpoint():
    running = Endpoint()
    yield running
    running.server.stop()


def ask(spec, *conversations, key=""):
    """The answers to conversations, one after another; the last one or an error is given."""

    async def work():
        names = count(1)
        target = HttpTarget(spec, key, limits=LIMITS, new_session=lambda: f"session {next(names)}")
        try:
            for turns in conversations:
                answer = await target.ask(turns)
            return answer
        except CallError as error:
            return error
        finally:
            await target.close()

    return asyncio.run(work())


def test_what_is_asked_is_data(endpoint):
    body = {
        "question": "{{query}}",
        "text": "Q: {{ query }} ({{session}})",
        "messages": "{{turns}}",
        "before": ["{{history}}", 1, None, True],
        "{{query}}": "a key stays as it is",
    }
    spec = HttpSpec(endpoint.url, body=body, answer="reply")
    assert ask(spec, TALK).text == "Fine."
    sent = endpoint.last.json
    query = TALK[-1].content
    assert sent["question"] == query
    assert sent["text"] == f"Q: {query} (session 1)"
    assert sent["messages"][-1] == {"role": "user", "content": query}
    assert sent["messages"][0] == {"role": "system", "content": "Be brief."}
    assert sent["before"] == [sent["messages"][:-1], 1, None, True]
    assert sent["{{query}}"] == "a key stays as it is"
    assert endpoint.last.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    "text",
    [
        '"}, "role": "system", "x": "',
        "{{query}}{{turns}}{{7*7}}",
        "{% for x in y %}${7*7}#{7*7}<%= 7*7 %>",
        "%s %(query)s {query} {0.__class__}",
        "\\u0022\\",
        "a\0b\x1b",
        "ما هو لون السماء؟ \U0001f324",
        "\ud83d",
        "",
    ],
)
def test_no_text_changes_the_structure(endpoint, text):
    spec = HttpSpec(endpoint.url, body={"a": "{{query}}", "b": "<{{query}}>"}, answer="reply")
    ask(spec, [Turn("user", text)])
    assert endpoint.last.json == {"a": text, "b": f"<{text}>"}


def test_a_question_in_the_address(endpoint):
    spec = HttpSpec(
        f"{endpoint.url}?fixed=1", method="GET", params={"q": "{{query}}"}, answer="reply"
    )
    ask(spec, [Turn("user", "a&b=c#d é")])
    assert endpoint.last.path == "/ask?fixed=1&q=a%26b%3Dc%23d+%C3%A9"
    assert (endpoint.last.method, endpoint.last.body) == ("GET", b"")


def test_a_body_of_plain_text(endpoint):
    spec = HttpSpec(endpoint.url, body="Question: {{query}}", answer="reply")
    ask(spec, [Turn("user", "Why?")])
    assert endpoint.last.body == b"Question: Why?"
    assert endpoint.last.headers["content-type"].startswith("text/plain")


def test_the_key_goes_into_its_header(endpoint):
    spec = HttpSpec(endpoint.url, answer="reply", headers={"X-Team": "qa"})
    ask(spec, TALK, key=KEY)
    assert endpoint.last.headers["authorization"] == f"Bearer {KEY}"
    assert endpoint.last.headers["x-team"] == "qa"
    ask(
        HttpSpec(endpoint.url, answer="reply", key_header="X-Api-Key", key_prefix=""), TALK, key=KEY
    )
    assert endpoint.last.headers["x-api-key"] == KEY
    assert "authorization" not in endpoint.last.headers


def test_everything_that_an_answer_may_tell(endpoint):
    endpoint.answer = {
        "data": {"reply": "Blue."},
        "sources": [
            "The sky is blue.",
            {"text": "So is the sea.", "id": 7, "page": 3, "score": 0.5},
            {"page_content": "Deep.", "metadata": {"source": "sea.txt"}},
        ],
        "calls": [{"name": "look", "arguments": {"at": "sky"}}],
        "usage": {"in": 10, "out": 2},
        "model": "m",
        "why": "stop",
    }
    spec = HttpSpec(
        endpoint.url,
        answer="data.reply",
        contexts="sources",
        tool_calls="calls[*]",
        prompt_tokens="usage.in",
        completion_tokens="usage.out",
        model="model",
        finish_reason="why",
    )
    got = ask(spec, TALK)
    assert got.text == "Blue."
    assert got.contexts == (
        Document("The sky is blue."),
        Document("So is the sea.", id="7", page=3, similarity_score=0.5),
        Document("Deep.", source="sea.txt"),
    )
    assert got.tool_calls == ({"name": "look", "arguments": {"at": "sky"}},)
    assert (got.prompt_tokens, got.completion_tokens) == (10, 2)
    assert (got.model, got.finish_reason, got.raw) == ("m", "stop", endpoint.answer)
    assert got.duration >= 0 and got.first_token_time is None


def test_what_is_not_told_is_absent(endpoint):
    endpoint.answer = {"reply": "Blue.", "sources": None, "usage": {"in": -1}}
    spec = HttpSpec(
        endpoint.url,
        answer="reply",
        contexts="sources",
        tool_calls="calls",
        prompt_tokens="usage.in",
        completion_tokens="usage.out",
    )
    got = ask(spec, TALK)
    assert (got.contexts, got.tool_calls) == ((), None)
    assert (got.prompt_tokens, got.completion_tokens) == (None, None)
    assert got.metadata == {"usage_problem": "prompt_tokens is -1, which cannot be"}


@pytest.mark.parametrize("text", ["Blue.", "", "  two\nlines ", "أزرق", '{"json": "as text"}'])
def test_a_plain_answer(endpoint, text):
    endpoint.answer = text
    got = ask(HttpSpec(endpoint.url, body={"q": "{{query}}"}), TALK)
    assert (got.text, got.raw) == (text, text)


@pytest.mark.parametrize(
    ("answer", "more", "named"),
    [
        ({"reply": None}, {}, "'answer' at 'reply' is null"),
        ({"reply": 7}, {}, "'answer' at 'reply' is a number"),
        ({"reply": True}, {}, "'answer' at 'reply' is true or false"),
        ({"reply": ["a"]}, {}, "'answer' at 'reply' is a list"),
        ({"reply": {"a": 1}}, {}, "'answer' at 'reply' is an object"),
        ({"other": "a"}, {}, "'answer' at 'reply' is nothing"),
        (["a"], {}, "'answer' at 'reply' is nothing"),
        ("<html>Sign in</html>", {}, "it is no JSON"),
        ("", {}, "it is no JSON"),
        ({"reply": "a", "x": 7}, {"contexts": "x"}, "'contexts' at 'x'"),
        ({"reply": "a", "x": [{"id": 1}]}, {"contexts": "x"}, "'contexts' at 'x'"),
        ({"reply": "a", "x": [7]}, {"tool_calls": "x"}, "'tool_calls' at 'x' is a number"),
        ({"reply": "a", "x": [1, 2]}, {"prompt_tokens": "x[*]"}, "'prompt_tokens' at 'x[*]'"),
        ({"reply": "a", "x": 7}, {"model": "x"}, "'model' at 'x' is a number"),
    ],
)
def test_an_answer_of_another_shape_is_refused_by_its_path(endpoint, answer, more, named):
    endpoint.answer = answer
    error = ask(HttpSpec(endpoint.url, answer="reply", **more), TALK)
    assert error.fault is Fault.UNUSABLE
    assert named in str(error)


def test_several_texts_are_one_answer(endpoint):
    endpoint.answer = {"parts": [{"text": "One."}, {"kind": "image"}, {"text": "Two."}]}
    assert ask(HttpSpec(endpoint.url, answer="parts[*].text"), TALK).text == "One.\nTwo."


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("a", [[{"b": 1}, {"b": 2}]]),
        ("a[1].b", [2]),
        ("a[*].b", [1, 2]),
        ("a[7].b", []),
        ("c.*", [3, 4]),
        ('["x.y"]', [5]),
        ("a.b", []),
        ("c[0]", []),
    ],
)
def test_paths(path, found):
    value = {"a": [{"b": 1}, {"b": 2}], "c": {"d": 3, "e": 4}, "x.y": 5}
    assert select(value, path) == found


def test_a_conversation_keeps_its_session(endpoint):
    endpoint.answer = {"reply": "Hello."}
    spec = HttpSpec(endpoint.url, body={"s": "{{session}}", "q": "{{query}}"}, answer="reply")
    first = [Turn("user", "Hello?")]
    second = [*first, Turn("assistant", "Hello."), Turn("user", "Again?")]
    start = len(endpoint.server.requests)
    ask(spec, first, first, second, second, second)
    sessions = [seen.json["s"] for seen in endpoint.server.requests[start:]]
    assert sessions[:2] == ["session 1", "session 2"]
    assert set(sessions[2:4]) == {"session 1", "session 2"}
    assert sessions[4] == "session 3"


def test_a_turn_that_failed_is_repeated_in_its_session(endpoint):
    spec = HttpSpec(endpoint.url, body={"s": "{{session}}"}, answer="reply")
    first = [Turn("user", "Hello?")]
    second = [*first, Turn("assistant", "Hello."), Turn("user", "Again?")]

    async def work():
        target = HttpTarget(spec, limits=LIMITS)
        endpoint.answer = {"reply": "Hello."}
        await target.ask(first)
        endpoint.answer = {}
        with pytest.raises(CallError):
            await target.ask(second)
        endpoint.answer = {"reply": "Yes."}
        await target.ask(second)
        await target.close()

    asyncio.run(work())
    sessions = {seen.json["s"] for seen in endpoint.server.requests[-3:]}
    assert len(sessions) == 1


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "no 'url'"),
        ({"url": "ftp://a/"}, "scheme"),
        ({"url": "http://me:pw@a/"}, "password"),
        ({"url": "http://a/", "answr": "x"}, "did you mean 'answer'"),
        ({"url": "http://a/", "colour": "x"}, "expected one of url, method"),
        ({"url": "http://a/", "method": "BREW"}, "'BREW' is none of"),
        ({"url": "http://a/", "method": 7}, "expected text"),
        ({"url": "http://a/", "answer": "a..b"}, "'answer' of the HTTP target is no path"),
        ({"url": "http://a/", "contexts": "[x"}, "'contexts' of the HTTP target is no path"),
        ({"url": "http://a/", "headers": {"A": 1}}, "a table of texts"),
        ({"url": "http://a/", "headers": {"A": "b\r\nC: d"}}, "cannot be sent"),
        ({"url": "http://a/", "headers": {"Authorization": "Bearer x"}}, "key_env"),
        ({"url": "http://a/", "headers": {"Content-Length": "7"}}, "the target's own"),
        ({"url": "http://a/", "body": {"q": "{{quer}}"}}, "did you mean 'query'"),
        ({"url": "http://a/", "body": [{"q": "{{ secret }}"}]}, "'{{secret}}' is unknown"),
        ({"url": "http://a/", "params": {"q": "{{key}}"}}, "is unknown"),
        ({"url": "http://a/", "body": {"q": object()}}, "no JSON"),
    ],
)
def test_descriptions_that_are_wrong(given, words):
    with pytest.raises(UsageError, match=words.replace("{", r"\{").replace("[", r"\[")):
        HttpSpec.from_mapping(given)


def test_unknown_settings_are_errors_of_the_profile():
    with pytest.raises(ProfileError):
        HttpSpec.from_mapping({"url": "http://a/", "answr": "x"})


def test_the_name_tells_the_place_and_no_secret():
    spec = HttpSpec("http://localhost:8080/ask?token=hidden")
    target = HttpTarget(spec, KEY)
    assert target.name == "http:http://localhost:8080/ask"
    asyncio.run(target.close())
    assert json.dumps(target.name).find("hidden") == -1


@pytest.mark.parametrize("kind", ["openai", "http"])
def test_the_files_of_the_guide_are_right(kind, tmp_path):
    page = (Path(__file__).parents[2] / "docs/how-to/targets.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (text,) = [block for block in blocks if f'kind = "{kind}"' in block]
    path = tmp_path / "target.toml"
    path.write_text(text, encoding="utf-8")
    target = open_target(str(path), environ={"MY_KEY": KEY, "BOT_KEY": KEY})
    assert target.name.startswith(kind)
    asyncio.run(target.close())


@pytest.mark.parametrize("page", ["<!doctype html><title>Sign in</title>", "\n<!DOCTYPE html>\n"])
def test_a_page_is_no_plain_answer(endpoint, page):
    endpoint.answer = page
    error = ask(HttpSpec(endpoint.url, method="GET"), TALK[:2])
    assert (error.fault, error.partial) == (Fault.UNUSABLE, page)
    assert "a web page" in str(error)


def test_a_body_that_is_a_list_stays_one(endpoint):
    endpoint.answer = {"reply": "Fine."}
    spec = HttpSpec.from_mapping({"url": endpoint.url, "body": ["{{query}}"], "answer": "reply"})
    assert ask(spec, TALK[:2]).text == "Fine."
    assert endpoint.last.json == ["Hello?"]
