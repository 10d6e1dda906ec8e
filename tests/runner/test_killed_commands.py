"""Killed at any moment, `rank`, `panel` and `simulate` ask nothing twice that they have kept."""

import json
import signal

import pytest
from tests.attempts import attempts
from tests.judge.chat import Chat, graded

from assay.backends.verdict_store import read_kept, verdict_key

CONCURRENCY = 4
QUESTIONS = 8
SYSTEMS = ("one", "two", "three")
JUDGED = (
    ("request", 1), ("keep", 3), ("read_verdict", 2), ("keep", 4), ("request", 6), ("read_kept", 1),
    ("read_verdict", 5), ("keep", 1), ("read_kept", 2), ("keep", 2),
)  # fmt: skip
SIMULATED = (
    ("half a line", 0), ("put", 1), ("journal", 3), ("answered", 2), ("half a line", 4), ("put", 4),
    ("journal", 6), ("answered", 3), ("journal", 2), ("write_transcripts", 1),
    ("write_transcripts", 2),
)  # fmt: skip


def longer(asked):
    """Prefers the response with more letters, wherever it stands."""
    first, second = (len(asked.plain(place)) for place in (1, 2))
    return graded("tie" if first == second else "first" if first > second else "second")(asked)


def grade(asked):
    return graded(1 + len(asked.plain(1)) % 5)(asked)


@pytest.fixture
def attempt(tmp_path, monkeypatch):
    """Runs a command in a process that may kill itself; gives how it ended."""
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("ASSAY_JUDGE_CONCURRENCY", str(CONCURRENCY))
    with attempts("tests.runner.killed_commands") as ended:

        def run(words, moment="never", calls=0):
            return ended(str(tmp_path), list(map(str, words)), moment, calls)

        yield run


@pytest.fixture
def judges():
    """Opens scripted judges and ends them afterwards."""
    servers = []

    def open_judges(*answers):
        servers.extend(map(Chat, answers))
        return servers

    yield open_judges
    for server in servers:
        server.close()


def write_answers(folder, name, extra):
    records = (
        {"id": str(n), "query": f"What is {n}?", "response": "It is. " * (1 + n * extra % 7)}
        for n in range(QUESTIONS)
    )
    (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")


def asked_keys(servers):
    """What each judge was asked so far, as the keys of their verdicts."""
    return [
        verdict_key(f"{server.url}/chat/completions", "", asked.body)
        for server in servers
        for asked in server.asked
    ]


def judge_with_kills(attempt, words, servers, moments):
    """Kill the command at each moment, then let it finish; gives how many kills there were."""
    safe, kills = set(), 0
    for moment, calls in moments:
        before = [len(server.asked) for server in servers]
        ended = attempt(words, moment, calls)
        assert ended in (-signal.SIGKILL, 0), moment
        kills += ended == -signal.SIGKILL
        new = [server.asked[seen:] for server, seen in zip(servers, before, strict=True)]
        for server, requests in zip(servers, new, strict=True):
            url = f"{server.url}/chat/completions"
            assert safe.isdisjoint(verdict_key(url, "", one.body) for one in requests), moment
        kept = set(read_kept(asked_keys(servers)))
        assert kept >= safe, moment
        safe = kept
    assert attempt(words) == 0
    return kills


def test_a_killed_ranking_loses_no_verdict(tmp_path, attempt, judges):
    (server,) = judges(longer)
    for place, name in enumerate(SYSTEMS, 1):
        write_answers(tmp_path, name, place)
    files = [f"{name}.jsonl" for name in SYSTEMS]
    words = ["rank", *files, "--judge", server.spec, "--out", "pairs.jsonl"]
    moments = [*JUDGED, ("write_pairs", 1), ("write_pairs", 2)]
    kills = judge_with_kills(attempt, words, [server], moments)
    assert kills >= 8
    keys = asked_keys([server])
    assert set(read_kept(keys)) == set(keys)
    assert len(keys) <= len(set(keys)) + kills * CONCURRENCY  # those on their way, no more
    pairs = (tmp_path / "pairs.jsonl").read_text(encoding="utf-8")
    shown = (tmp_path / "shown").read_text(encoding="utf-8")
    assert len(pairs.splitlines()) == QUESTIONS * 3
    total = len(server.asked)
    assert attempt(words) == 0
    assert len(server.asked) == total
    assert (tmp_path / "pairs.jsonl").read_text(encoding="utf-8") == pairs
    assert (tmp_path / "shown").read_text(encoding="utf-8") == shown


def test_a_killed_panel_loses_no_verdict(tmp_path, attempt, judges):
    servers = judges(grade, grade)
    write_answers(tmp_path, "answers", 3)
    spec = " ".join(f"openai:{server.url}#judge{n}" for n, server in enumerate(servers))
    words = ["panel", "answers.jsonl", "--judge", spec, "--json"]
    kills = judge_with_kills(attempt, words, servers, JUDGED)
    assert kills >= 6
    for server in servers:
        keys = asked_keys([server])
        assert len(set(keys)) == QUESTIONS
        assert len(keys) <= QUESTIONS + kills * CONCURRENCY
    card = json.loads((tmp_path / "shown").read_text(encoding="utf-8"))
    assert [judge["records"] for judge in card["judges"]] == [QUESTIONS] * 3
    assert card["pairs"][0]["kappa"]["value"] == 1.0


def kept_calls(journal):
    """The lines of the ledger whose answers are in the journal."""
    for line in journal.splitlines()[1:]:
        turn = json.loads(line).get("turn", {})
        if turn.get("role") == "assistant":
            yield f"shop {turn['content'].removeprefix('answer to ')}"
        elif turn:
            number, said = turn["content"].split()[:2]
            yield f"customer answer to {number} {int(said) - 2}"


def test_a_killed_simulation_loses_no_turn(tmp_path, attempt):
    people = [{"id": f"s{n}", "persona": "Calm.", "goal": f"order {n}."} for n in range(4)]
    (tmp_path / "people.json").write_text(json.dumps(people), encoding="utf-8")
    bots = "python:tests.runner.killed_commands"
    words = ["simulate", "people.json", "--target", f"{bots}:shop", "--user", f"{bots}:customer"]
    words += ["--out", "talks.jsonl", "--concurrency", CONCURRENCY, "--resume"]
    ledger, journal = tmp_path / "ledger", tmp_path / "talks.jsonl.journal"
    ledger.touch()
    kept, kills, seen = b"", 0, 0
    for moment, calls in SIMULATED:
        ended = attempt(words, moment, calls)
        assert ended in (-signal.SIGKILL, 0), moment
        kills += ended == -signal.SIGKILL
        now = journal.read_bytes() if journal.exists() else b""
        whole = now[: now.rfind(b"\n") + 1]
        asked = ledger.read_text(encoding="utf-8").splitlines()
        assert set(kept_calls(kept)).isdisjoint(asked[seen:]), moment
        seen = len(asked)
        assert whole.startswith(kept), moment
        kept = whole
    assert kills >= 9
    assert attempt(words) == 0
    turns = [json.loads(line).get("turn") for line in journal.read_bytes().splitlines()[1:]]
    talks = [json.loads(line) for line in (tmp_path / "talks.jsonl").read_bytes().splitlines()]
    for number, talk in enumerate(talks):
        said = [turn["content"] for turn in talk["messages"]]
        assert said == [
            text
            for n in range(0, 7, 2)
            for text in (f"{number} {n}", f"answer to {number} {n}")[: 1 if n == 6 else 2]
        ]
        assert talk["ended"] == "the user stopped"
    asked = ledger.read_text(encoding="utf-8").splitlines()
    assert sum(turn is not None for turn in turns) == 4 * 7
    assert len(asked) <= 4 * 7 + kills * CONCURRENCY  # those on their way, no more
    assert set(asked) >= {f"shop {number} {n}" for number in range(4) for n in (0, 2, 4)}
    total = len(asked)
    assert attempt(words) == 0
    assert len(ledger.read_text(encoding="utf-8").splitlines()) == total
