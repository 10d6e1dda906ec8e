import click
import pytest

from assay.cli.invocation import KEY, command_line


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("run", "my answers.csv"), "assay run 'my answers.csv'"),
        (("run", "/home/someone/secret project/a.csv"), "assay run a.csv"),
        (("runs", "--store", "postgresql://me:hunter2@db/x"), "postgresql://[hidden]@db/x"),
        (("run", "a.csv", "--run", "hunter-2-hunter"), "--run '[hidden]'"),
    ],
    ids=["blanks", "folders", "password in an address", "value of a secret variable"],
)
def test_the_command_is_shown_without_secrets_and_folders(words, shown, monkeypatch):
    monkeypatch.setenv("MY_TOKEN", "hunter-2-hunter")
    with click.Context(click.Command("run")) as context:
        context.meta[KEY] = words
        assert shown in command_line()
        assert "someone" not in command_line()


def test_outside_of_a_command_there_is_none():
    assert command_line() == ""
