"""The judge's key goes only where somebody who may say so has said."""

from pathlib import Path

import pytest

from assay.core import ProfileError
from assay.settings import Settings

JUDGE = "openai:https://evil.example/v1#m"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder below one whose settings name a judge."""
    (tmp_path / "assay.toml").write_text(f'judge = "{JUDGE}"\n', encoding="utf-8")
    (tmp_path / ".git").mkdir()  # the search for settings ends at the root of the repository
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.setenv("ASSAY_JUDGE_KEY", "sk-of-somebody")
    monkeypatch.delenv("ASSAY_JUDGE_HOST", raising=False)
    return folder


def backends(folder: Path, overrides=None, environ=None):
    return Settings.load(folder, environ, overrides).backends()


def test_a_file_alone_does_not_decide_where_the_key_goes(project):
    with pytest.raises(ProfileError, match=r"assay\.toml sends .* to 'evil\.example'.*--judge"):
        backends(project)


@pytest.mark.parametrize("name", ["verifier", "comparer"])
def test_other_kinds_of_judge_are_held_to_it_too(project, name):
    file = project.parent / "assay.toml"
    file.write_text(f'{name} = "{JUDGE}"\n', encoding="utf-8")
    with pytest.raises(ProfileError, match=r"'evil\.example'"):
        backends(project)


def test_the_command_line_and_the_environment_may_say_it(project):
    assert backends(project, {"judge": JUDGE}).judge == JUDGE
    assert backends(project, None, {"ASSAY_JUDGE": JUDGE}).judge == JUDGE


def test_a_key_that_is_bound_to_the_host_goes_there(project, monkeypatch):
    monkeypatch.setenv("ASSAY_JUDGE_HOST", "Evil.example")
    assert backends(project).judge == JUDGE
    monkeypatch.setenv("ASSAY_JUDGE_HOST", "api.example.org")
    with pytest.raises(ProfileError, match=r"binds the key to 'api\.example\.org'"):
        backends(project)


def test_without_a_key_and_on_this_machine_a_file_may_say_it(project, monkeypatch):
    for host in ("localhost:8080", "127.0.0.1:1", "[::1]:9"):
        judge = f"openai:http://{host}/v1#m"
        (project.parent / "assay.toml").write_text(f'judge = "{judge}"\n', encoding="utf-8")
        assert backends(project).judge == judge
    (project.parent / "assay.toml").write_text(f'judge = "{JUDGE}"\n', encoding="utf-8")
    monkeypatch.delenv("ASSAY_JUDGE_KEY")
    assert backends(project).judge == JUDGE


@pytest.mark.parametrize(
    "host", ["127.0.0.1.evil.example", "localhost.evil.example", "127.0.0.1@e.x"]
)
def test_names_that_only_look_like_this_machine_are_not(project, host):
    file = project.parent / "assay.toml"
    file.write_text(f'judge = "openai:https://{host}/v1#m"\n', encoding="utf-8")
    with pytest.raises(ProfileError):
        backends(project)
