"""`assay policies`, and how a pack reaches `assay run`."""

import json

import pytest

PACK = """name = "ours"
title = "Our rules"
source = "ours"
licence = "ours"
language = "en"
jurisdiction = "XX"
date = 2026-02-04
[[exemption]]
id = "4(a)"
title = "Secret sauces"
keywords = ["sauce"]
matches = ["Which sauce is it?"]
rejects = ["Which saucer is it?"]
"""
ID = "governance.section_8_compliance"


@pytest.fixture
def data(tmp_path):
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / "ours.toml").write_text(PACK, encoding="utf-8")
    path = tmp_path / "a.jsonl"
    path.write_text('{"query": "Which sauce is it?", "response": "Mint."}\n', encoding="utf-8")
    return path


def scored(run, *args):
    code, out, err = run("run", "a.jsonl", "-m", ID, "--out", "-", *args)
    assert code == 0, err
    return json.loads(out)["scores"][ID]


@pytest.mark.parametrize("args", [(), ("list",)])
def test_the_packs_are_listed(run, args):
    code, out, _ = run("policies", *args)
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == ["eu_ai_act", "rti", "uk_gdpr"]


def test_the_list_as_json(run):
    code, out, _ = run("policies", "list", "--json")
    assert code == 0
    assert [pack["jurisdiction"] for pack in json.loads(out)] == ["EU", "IN", "GB"]


def test_a_pack_is_shown(run):
    code, out, _ = run("policies", "show", "rti")
    assert code == 0
    assert "force_to_zero: legal_compliance" in out
    assert "  8(1)(b)  Matters forbidden by a court: contempt of court," in out
    assert "  pan (0.4, check pan): " in out


def test_a_pack_as_json(run):
    code, out, _ = run("policies", "show", "eu_ai_act", "--json")
    shown = json.loads(out)
    assert code == 0
    assert shown["force_to_zero"] is None
    assert [area["id"] for area in shown["sections"]["area"]][:2] == ["III(1)", "III(2)"]
    assert shown["identity"].startswith("eu_ai_act@")


def test_a_sound_pack_passes_the_check(run, data):
    code, out, _ = run("policies", "check", "packs/ours.toml")
    assert (code, out) == (0, "ours: 2 examples hold, 0 do not\n")


def test_an_example_that_does_not_hold_fails_the_check(run, data, tmp_path):
    (tmp_path / "bad.toml").write_text(PACK.replace("saucer", "sauce"), encoding="utf-8")
    code, out, _ = run("policies", "check", "bad.toml")
    assert code == 1
    assert "bad.toml: exemption '4(a)' matches its own example 'Which sauce is it?'" in out
    assert out.endswith("ours: 1 examples hold, 1 do not\n")


def test_a_pack_that_cannot_be_used_is_an_error(run, data, tmp_path):
    (tmp_path / "bad.toml").write_text(PACK.replace("keywords", "words"), encoding="utf-8")
    code, _, err = run("policies", "check", "bad.toml")
    assert code == 2
    assert "bad.toml: exemption: unknown key 'words'" in err


def test_a_run_goes_by_the_act_unless_told_otherwise(run, data):
    assert scored(run)["value"] == 1.0
    result = scored(run, "--policy", "packs/ours.toml")
    assert result["value"] == 0.0
    assert "|policy:ours@" in result["signature"]


def test_a_run_in_several_processes_has_the_same_pack(run, data):
    assert scored(run, "--policy", "packs/ours.toml", "--workers", "2")["value"] == 0.0


def test_the_command_line_wins_over_the_profile_and_that_over_settings(run, data, tmp_path):
    (tmp_path / "assay.toml").write_text('policy = "packs/ours.toml"\n', encoding="utf-8")
    (tmp_path / "team.toml").write_text('policy = "uk_gdpr"\n', encoding="utf-8")
    assert "|policy:ours@" in scored(run)["signature"]
    assert "|policy:uk_gdpr@" in scored(run, "--profile", "team.toml")["signature"]
    told = scored(run, "--profile", "team.toml", "--policy", "rti")["signature"]
    assert "|policy:rti@" in told
    (tmp_path / "act.toml").write_text('policy = "rti"\n', encoding="utf-8")
    assert "|policy:rti@" in scored(run, "--profile", "act.toml")["signature"]


def test_a_run_refuses_a_pack_whose_examples_do_not_hold(run, data, tmp_path):
    (tmp_path / "bad.toml").write_text(PACK.replace("saucer", "sauce"), encoding="utf-8")
    code, _, err = run("run", "a.jsonl", "-m", ID, "--policy", "bad.toml")
    assert code == 2
    assert "bad.toml: exemption '4(a)' matches its own example" in err


def test_an_unknown_pack_is_refused(run, data):
    code, _, err = run("run", "a.jsonl", "-m", ID, "--policy", "rty")
    assert code == 2
    assert "unknown policy 'rty'; expected one of eu_ai_act, rti, uk_gdpr" in err
