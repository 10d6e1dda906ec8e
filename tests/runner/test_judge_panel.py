"""A panel of scripted judges: its verdict, agreement, calibration, keys, caps and failures."""

import json

import pytest
from click.testing import CliRunner
from tests.judge.chat import Chat, graded

import assay
from assay.backends import Backends
from assay.backends.destinations import check_destination, key_variables
from assay.cli import app
from assay.core import ProfileError, Result, Sample, Scores, UsageError
from assay.data.rubrics import rubric
from assay.runner.job import make_job
from assay.runner.judge_cost import price_of_judge
from assay.runner.judge_panel import PanelRatings, measure_panel
from assay.samples import to_sample
from assay.settings import Settings

RECORDS = [
    {"id": f"r{n}", "query": f"Is {n} even?", "response": f"It is {n}.", "label": int(n % 2 == 0)}
    for n in range(24)
]


def number(asked):
    return int(asked.plain(1).removeprefix("It is ").rstrip("."))


def right(asked):
    """Knows what is even."""
    return graded(5 if number(asked) % 2 == 0 else 2)(asked)


def careless(asked):
    """Errs on every fifth record."""
    n = number(asked)
    return graded(5 if (n % 2 == 0) != (n % 5 == 0) else 1)(asked)


def also_careless(asked):
    """Errs where the careless one does, by other figures."""
    n = number(asked)
    return graded(4 if (n % 2 == 0) != (n % 5 == 0) else 2)(asked)


@pytest.fixture
def panel(tmp_path, monkeypatch):
    """Opens judges; gives their specification and the servers."""
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    servers = []

    def open_judges(*answers):
        servers.extend(Chat(answer) for answer in answers)
        return " ".join(
            f"openai:{server.url}#judge{place}" for place, server in enumerate(servers, 1)
        )

    open_judges.servers = servers
    yield open_judges
    for server in servers:
        server.close()


def measure(spec, metric="judge.helpfulness", judging=(), **given):
    chosen = {"judge": spec, "metrics": (metric,), **dict(judging)}
    settings = Settings.load(environ={}, overrides=chosen)
    samples = [to_sample(record, record["id"]) for record in RECORDS]
    return measure_panel(samples, make_job(settings), settings, **given)


def test_the_panel_gives_the_mean_and_says_who_said_what(panel):
    spec = panel(graded(5), graded(2), graded(2))
    report = assay.evaluate(
        RECORDS[:1], ["judge.helpfulness"], backends=Backends(judge=spec), settings=None
    )
    result = report.scores[0]["judge.helpfulness"]
    assert result.value == 3.0
    assert [verdict["answer"] for verdict in result.details["verdicts"]] == [5.0, 2.0, 2.0]
    assert len({verdict["judge"] for verdict in result.details["verdicts"]}) == 3
    assert result.signature.count("openai:judge") == 3
    assert report.summary.judge["calls"] == 3
    assert result.details["prompt_tokens"] == 300


def test_choices_go_by_the_majority(panel):
    spec = panel(graded("declines"), graded("answers"), graded("declines"))
    report = assay.evaluate(
        RECORDS[:1], ["judge.refusal"], backends=Backends(judge=spec), settings=None
    )
    details = report.scores[0]["judge.refusal"].details
    assert (details["label"], details["agreement"]) == ("declines", pytest.approx(2 / 3))


def test_a_silent_judge_is_left_out_and_half_of_them_are_too_few(panel):
    spec = panel(graded(4), graded(2), lambda asked: "nothing")
    choose = Backends(judge=spec)
    report = assay.evaluate(RECORDS[:1], ["judge.tone"], backends=choose, settings=None)
    result = report.scores[0]["judge.tone"]
    assert (result.value, len(result.details["unusable"])) == (3.0, 1)
    panel.servers[1].answer = lambda asked: "nothing"
    report = assay.evaluate(RECORDS[1:2], ["judge.tone"], backends=choose, settings=None)
    result = report.scores[0]["judge.tone"]
    assert result.state == "error"
    assert "2 of 3 judges gave no verdict" in result.explanation


def test_judges_that_err_alike_count_as_few(panel):
    card = measure(panel(right, careless, also_careless), label="label")
    assert [judge.name.partition("@")[0] for judge in card.judges] == [
        "panel", "openai:judge1", "openai:judge2", "openai:judge3",
    ]  # fmt: skip
    assert {judge.records for judge in card.judges} == {24}
    agreement = [judge.calibration.verdicts[0].agreement.value for judge in card.judges]
    assert agreement[1] == 1.0
    assert agreement[2] == agreement[3] == pytest.approx(19 / 24)
    kappas = {(pair.first[12], pair.second[12]): pair.kappa.value for pair in card.pairs}
    assert kappas["2", "3"] > kappas["1", "2"]
    assert card.is_from_labels
    assert 1.0 < card.effective.value < 2.5
    assert card.to_json()["effective_judges_from"] == "errors"


def test_a_judge_that_repeats_itself_counts_by_its_majority(panel):
    def wavers(asked):
        """Says something else in one of three verdicts."""
        is_odd = asked.body["seed"] == 2
        return graded("answers" if is_odd else "declines")(asked)

    def follows(asked):
        return graded("declines" if number(asked) % 2 else "answers")(asked)

    card = measure(panel(wavers, follows), "judge.refusal", {"judge_repeats": 3})
    assert [judge.mean for judge in card.judges[1:]] == [1.0, 0.5]  # not 2/3, which is no choice
    assert card.pairs[0].kappa.value == pytest.approx(0.0)


@pytest.mark.parametrize(("chance", "mean"), [(0.75, 3.75), (0.5, 3.5)])
def test_a_judge_counts_by_its_expected_score_where_the_panel_does(chance, mean):
    said = {"answer": 4.0, "reason": "", "probabilities": [[4.0, chance], [3.0, 1 - chance]]}
    verdicts = [{"judge": "one", **said}, {"judge": "other", "answer": 2.0, "reason": ""}]
    details = {"verdicts": verdicts, "score_from": "verdicts, 1 of 2 with token probabilities"}
    ratings = PanelRatings("judge.tone", rubric("tone"), None)
    ratings.write(Sample("r"), Scores("r", {"judge.tone": Result((mean + 2) / 2, "", (), details)}))
    assert {name: own.values[0] for name, own in ratings.ratings.items()} == {
        "panel": (mean + 2) / 2, "one": mean, "other": 2.0,
    }  # fmt: skip


def test_without_labels_there_is_agreement_and_a_lower_bound(panel):
    card = measure(panel(right, careless))
    assert [judge.calibration for judge in card.judges] == [None] * 3
    assert not card.is_from_labels
    assert card.pairs[0].records == 24
    assert 1.0 <= card.effective.value <= 2.0


def test_one_judge_is_no_panel_and_none_stands_twice(panel):
    with pytest.raises(UsageError, match="two judges or more"):
        measure(panel(right))
    twice = f"openai:{panel.servers[0].url}#judge1"
    with pytest.raises(ProfileError, match="stands twice"):
        measure(f"{twice} {twice}")
    with pytest.raises(ProfileError, match="two judges of the panel are the same"):
        Backends(judge=twice + " " + twice.replace("#", "/#")).get("judge").judge([])


def test_each_judge_gets_its_own_key(panel, monkeypatch):
    spec = panel(graded(4), graded(2))
    monkeypatch.setenv("ASSAY_JUDGE_KEY_1", "sk-of-the-first-judge")
    monkeypatch.setenv("ASSAY_JUDGE_KEY_2", "sk-of-the-second-judge")
    assay.evaluate(RECORDS[:1], ["judge.tone"], backends=Backends(judge=spec), settings=None)
    sent = [server.headers[0][1]["authorization"] for server in panel.servers]
    assert sent == ["Bearer sk-of-the-first-judge", "Bearer sk-of-the-second-judge"]


def test_one_key_does_not_go_to_two_hosts():
    spec = "openai:https://one.example/v1#a openai:https://two.example/v1#b"
    with pytest.raises(ProfileError, match=r"2 hosts, one\.example and two\.example"):
        key_variables(spec, {"ASSAY_JUDGE_KEY": "sk-1"})
    own = {"ASSAY_JUDGE_KEY": "sk-1", "ASSAY_JUDGE_KEY_2": "sk-2"}
    assert [name for _, name in key_variables(spec, own)] == [
        "ASSAY_JUDGE_KEY",
        "ASSAY_JUDGE_KEY_2",
    ]


THREE = (
    "openai:https://one.example/v1#a openai:https://two.example/v1#b "
    "openai:https://one.example/v1#c"
)


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"ASSAY_JUDGE_KEY_1": "a", "ASSAY_JUDGE_KEY_2": "b"}, ["_1", "_2", "_1"]),
        ({"ASSAY_JUDGE_KEY_3": "c", "ASSAY_JUDGE_KEY_2": "b"}, ["_3", "_2", "_3"]),
        ({"ASSAY_JUDGE_KEY_1": "a", "ASSAY_JUDGE_KEY_3": "c"}, ["_1", "", "_3"]),
        (
            {
                "ASSAY_JUDGE_KEY_1": "b",
                "ASSAY_JUDGE_HOST_1": "two.example",
                "ASSAY_JUDGE_KEY_7": "a",
                "ASSAY_JUDGE_HOST_7": "One.example",
            },
            ["_7", "_1", "_7"],
        ),
        ({"ASSAY_JUDGE_KEY_9": "", "ASSAY_JUDGE_KEY_1": "a"}, ["_1", "", "_1"]),
    ],
)
def test_a_numbered_key_belongs_to_a_judge_and_its_host(environ, expected):
    names = [name for _, name in key_variables(THREE, environ)]
    assert names == [f"ASSAY_JUDGE_KEY{ending}" for ending in expected]


@pytest.mark.parametrize(
    ("environ", "message"),
    [
        ({"ASSAY_JUDGE_KEY_4": "d"}, "ASSAY_JUDGE_KEY_4 is set, and the panel has 3 judges"),
        (
            {"ASSAY_JUDGE_KEY_1": "a", "ASSAY_JUDGE_HOST_1": "old.example"},
            "binds ASSAY_JUDGE_KEY_1 to 'old.example', and the panel has no judge there",
        ),
    ],
)
def test_a_key_that_no_judge_takes_is_an_error(environ, message):
    with pytest.raises(ProfileError, match=message):
        key_variables(THREE, environ)


def test_a_file_may_name_judges_whose_keys_are_bound_to_their_hosts():
    keys = {"ASSAY_JUDGE_KEY_1": "a", "ASSAY_JUDGE_KEY_2": "b"}
    hosts = {"ASSAY_JUDGE_HOST_1": "one.example", "ASSAY_JUDGE_HOST_2": "two.example"}
    check_destination(THREE, "assay.toml", keys | hosts)
    with pytest.raises(
        ProfileError, match=r"sends the texts and ASSAY_JUDGE_KEY_1 to 'one\.example'"
    ):
        check_destination(THREE, "assay.toml", keys)


def test_the_caps_of_a_run_are_shared_out(panel):
    spec = panel(right, careless)
    given = {"judge": spec, "metrics": ("judge.tone",), "max_judge_calls": 6}
    settings = Settings.load(environ={}, overrides=given)
    samples = [to_sample(record, record["id"]) for record in RECORDS]
    card = measure_panel(samples, make_job(settings), settings)
    assert [len(server.asked) for server in panel.servers] == [3, 3]
    assert card.judges[0].records == 3


def test_a_panel_has_no_one_price():
    one = "openai:http://127.0.0.1:1/v1#gpt-4"
    assert price_of_judge(one) is not None
    assert price_of_judge(f"{one} openai:http://127.0.0.1:2/v1#other") is None


def test_the_command_prints_the_card(panel, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, RECORDS)))
    words = ["panel", "answers.jsonl", "--judge", panel(right, careless), "--labels", "label"]
    shown = CliRunner().invoke(app, words, standalone_mode=False)
    assert shown.return_value == 0, shown.output
    assert "Judge, estimated: about 48 calls" in shown.stderr
    assert "Effective number of judges: " in shown.stdout
    again = CliRunner().invoke(app, [*words, "--json"], standalone_mode=False)
    card = json.loads(again.stdout)
    assert card["judges"][0]["name"] == "panel"
    assert sum(len(server.asked) for server in panel.servers) == 48
