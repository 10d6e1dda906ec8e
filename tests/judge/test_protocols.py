"""Judges that speak Anthropic's and Google's protocols: requests, replies, keys, cache, caps."""

import pytest
from tests.judge.chat import KEY, Chat, graded
from tests.judge.other_protocols import Anthropic, Gemini

import assay
from assay.backends import Backends, JudgeSettings
from assay.core import ProfileError
from assay.settings import Settings

SAMPLE = {"query": "Which tram goes there?", "response": "The number 12 tram."}
SERVERS = {"anthropic": Anthropic, "gemini": Gemini}


@pytest.fixture(params=SERVERS)
def server(request, tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("ASSAY_JUDGE_KEY", KEY)
    opened = SERVERS[request.param](graded(4, quote="number 12"))
    yield opened
    opened.close()


def score(server, **judging):
    chosen = Backends(judge=server.spec, judging=JudgeSettings(**judging))
    report = assay.evaluate([SAMPLE], ["judge.tone"], backends=chosen, settings=None)
    return report.scores[0]["judge.tone"], report.summary.judge


def test_a_verdict(server):
    result, spent = score(server)
    assert (result.value, result.state) == (4.0, "ok"), result.explanation
    assert result.evidence[0].start == SAMPLE["response"].index("number 12")
    assert (spent["calls"], spent["prompt_tokens"], spent["completion_tokens"]) == (1, 100, 20)
    assert not spent["is_usage_estimated"]
    (asked,) = server.asked
    assert asked.plain(1) == SAMPLE["response"]
    assert KEY in server.headers[0].values()
    assert server.spec.partition(":")[0] in result.signature
    assert KEY not in result.signature + result.explanation


@pytest.mark.parametrize("format", ["json_schema", "json_object", "none"])
def test_every_format_of_the_request_is_taken(server, format):
    result, _ = score(server, format=format)
    assert result.value == 4.0
    assert server.refused == []
    text = str(server.asked[0].body)
    assert ("'enum': [1, 2, 3, 4, 5]" in text) == (format == "json_schema")


def test_a_verdict_is_kept_and_not_asked_again(server):
    score(server)
    result, spent = score(server)
    assert (result.value, spent["calls"], spent["cached"]) == (4.0, 0, 1)
    assert len(server.asked) == 1


def test_extra_fields_go_along_and_may_not_say_what_is_judged(server):
    where = "metadata" if isinstance(server, Anthropic) else "safetySettings"
    server.known = server.known | {where}
    score(server, extra=f'{{"{where}": []}}')
    assert server.asked[0].body[where] == []
    for field in ("system", "contents", "systemInstruction", "tools"):
        with pytest.raises(ProfileError, match=f"may not set '{field}'"):
            JudgeSettings(extra=f'{{"{field}": "x"}}')


def test_extra_options_of_gemini_go_beside_our_own(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("ASSAY_JUDGE_KEY", KEY)
    server = Gemini(graded(4))
    extra = '{"generationConfig": {"thinkingConfig": {"thinkingBudget": 0}, "temperature": null}}'
    result, _ = score(server, extra=extra)
    server.close()
    options = server.asked[0].body["generationConfig"]
    assert result.value == 4.0
    assert options["thinkingConfig"] == {"thinkingBudget": 0}
    assert options["maxOutputTokens"] == 600
    assert "responseJsonSchema" in options
    assert "temperature" not in options
    with pytest.raises(ProfileError, match="may not set 'candidateCount'"):
        JudgeSettings(extra='{"generationConfig": {"candidateCount": 2}}')
    with pytest.raises(ProfileError, match="expected an object"):
        JudgeSettings(extra='{"generationConfig": 1}')


def cut(block, reason):
    return 200, {"content": block, "stop_reason": reason}


def ended(reason, parts=()):
    return 200, {"candidates": [{"content": {"parts": list(parts)}, "finishReason": reason}]}


TEXT = {"type": "text", "text": "{}"}
ANTHROPIC = {
    "cut off": (cut([TEXT], "max_tokens"), "cut off at the token limit"),
    "refusal": (cut([TEXT], "refusal"), "the judge refuses"),
    "odd end": (cut([TEXT], "pause_turn"), "ended for the reason 'pause_turn'"),
    "empty": (cut([], "end_turn"), "it is empty"),
    "no list": (cut("x", "end_turn"), "holds no content"),
    "a list": ((200, []), "not an object"),
    "another tool": (
        cut([{"type": "tool_use", "name": "search", "input": {}}], "tool_use"), "other tool calls",
    ),
    "two verdicts": (
        cut([{"type": "tool_use", "name": "verdict", "input": {}}] * 2, "tool_use"), "other tool",
    ),
    "no nonce": (
        cut([{"type": "tool_use", "name": "verdict", "input": {"score": 5}}], "tool_use"),
        "not one object with",
    ),
}  # fmt: skip
GEMINI = {
    "cut off": (ended("MAX_TOKENS"), "cut off at the token limit"),
    "filtered": (ended("SAFETY"), "content filter"),
    "blocked": ((200, {"promptFeedback": {"blockReason": "OTHER"}}), "prompt was held back"),
    "none": ((200, {"candidates": []}), "not exactly one candidate"),
    "empty": (ended("STOP"), "it is empty"),
    "thoughts alone": (ended("STOP", [{"text": "hm", "thought": True}]), "it is empty"),
    "a call": (ended("STOP", [{"functionCall": {"name": "x"}}]), "tool call"),
    "a number": (ended("STOP", [{"text": 5}]), "something else than text"),
    "no nonce": (ended("STOP", [{"text": '{"score": 5}'}]), "not one object with"),
}


@pytest.mark.parametrize(
    ("kind", "reply", "message"),
    [
        *(
            pytest.param("anthropic", *case, id=f"anthropic {why}")
            for why, case in ANTHROPIC.items()
        ),
        *(pytest.param("gemini", *case, id=f"gemini {why}") for why, case in GEMINI.items()),
    ],
)
def test_a_reply_that_is_not_one_verdict_gives_no_score(
    kind, reply, message, tmp_path, monkeypatch
):
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path))
    server = SERVERS[kind](lambda asked: reply)
    monkeypatch.setenv("ASSAY_JUDGE_KEY", KEY)
    result, _ = score(server, repairs=0)
    server.close()
    assert result.state == "error"
    assert message in result.explanation


def test_the_key_goes_only_where_it_is_bound(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_JUDGE_KEY", KEY)
    monkeypatch.delenv("ASSAY_JUDGE_HOST", raising=False)
    for provider in SERVERS:
        judge = f"{provider}:https://evil.example/v1#m"
        (tmp_path / "assay.toml").write_text(f'judge = "{judge}"\n')
        with pytest.raises(ProfileError, match=r"'evil\.example'"):
            Settings.load(tmp_path, {}).backends()
        with pytest.raises(ProfileError, match=f"the judge '{provider}' needs an address"):
            Backends(judge=f"{provider}:claude").get("judge").judge([])


def test_a_panel_of_three_protocols(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("ASSAY_JUDGE_KEY", "")
    for place in (1, 2, 3):
        monkeypatch.setenv(f"ASSAY_JUDGE_KEY_{place}", f"sk-of-the-judge-{place}")
    servers = [Chat(graded(1)), Anthropic(graded(3)), Gemini(graded(5))]
    chosen = Backends(judge=" ".join(server.spec for server in servers))
    report = assay.evaluate([SAMPLE], ["judge.tone"], backends=chosen, settings=None)
    for server in servers:
        server.close()
    result = report.scores[0]["judge.tone"]
    assert result.value == 3.0
    assert servers[1].headers[0]["x-api-key"] == "sk-of-the-judge-2"
    assert servers[2].headers[0]["x-goog-api-key"] == "sk-of-the-judge-3"
