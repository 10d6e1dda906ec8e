"""From words to targets."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.core.errors import AssayError
from assay.targets.choose import KEY, TargetVariant, open_target

FILES = {
    "chat.toml": 'kind = "openai"\nurl = "http://localhost:9/v1"\nmodel = "m"\n'
    'key_env = "CHAT_KEY"\n[options]\ntemperature = 0',
    "http.toml": 'url = "http://localhost:9/ask"\nanswer = "text"\n[body]\nq = "{{query}}"',
    "browser.toml": 'kind = "browser"\nurl = "http://localhost:9"\ninput = "#q"\nanswer = ".a"',
    "python.toml": 'kind = "python"\nfunction = "os.path:basename"',
    "command.toml": 'kind = "command"\nargv = ["cat"]\noutput = "json"',
    "nothing.toml": "url = 'http://localhost:9'",
    "odd.toml": 'kind = "telepathy"',
    "broken.toml": "kind = ",
    "model.toml": 'kind = "openai"\nurl = "http://localhost:9"',
    "more.toml": 'kind = "openai"\nurl = "http://localhost:9"\nmodel = "m"\nkey = "sk-1"',
    "mistyped.toml": 'kind = "openai"\nurl = "http://localhost:9"\nmodel = 3',
    "function.toml": 'kind = "python"\nplace = "os.path:basename"',
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("openai:http://localhost:9/v1#m", "openai:http://localhost:9/v1#m"),
        ("python:os.path:basename", "python:os.path:basename"),
        ("command:cat -u", "command:cat@"),
        ("command:cat --config bot.toml", "command:cat@"),
        ("command:command.toml", "command:cat@"),
        ("chat.toml", "openai:http://localhost:9/v1#m@"),
        ("http:http.toml", "http:http://localhost:9/ask@"),
        ("browser.toml", "browser:http://localhost:9"),
        ("browser:browser.toml", "browser:http://localhost:9"),
        ("python.toml", "python:os.path:basename@"),
        ("command.toml", "command:cat@"),
    ],
)
def test_every_form_opens_its_target(text: str, name: str) -> None:
    pytest.importorskip("httpx2")
    if name.startswith("browser:"):
        pytest.importorskip("playwright")
    assert open_target(text, environ={"CHAT_KEY": "sk-secret"}).name.startswith(name)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("chatbot", "unknown target 'chatbot'; expected openai:URL#MODEL"),
        ("telepathy:x", "unknown target"),
        ("http://localhost:9/ask", "is described in a file; expected http:FILE.toml"),
        ("openai:http://localhost:9", "names no model"),
        ("absent.toml", "no such file"),
        ("nothing.toml", "has the kind None"),
        ("odd.toml", "has the kind 'telepathy'"),
        ("broken.toml", "cannot be read"),
        ("http:chat.toml", "of the kind 'openai', not 'http'"),
        ("model.toml", "has no 'model'"),
        ("more.toml", "has no setting 'key'"),
        ("mistyped.toml", "'model' of the openai target is 3; expected text"),
        ("function.toml", "takes function ="),
        ("chat.toml", r"is to be in \$CHAT_KEY, which is not set"),
        ("python:no_such_module:f", "no such module"),
    ],
)
def test_what_names_no_target_is_refused(text: str, words: str) -> None:
    with pytest.raises(AssayError, match=words):
        open_target(text, environ={})


def test_keys_come_from_the_environment_and_stand_in_no_name() -> None:
    pytest.importorskip("httpx2")
    for text in ("openai:http://localhost:9/v1#m", "chat.toml"):
        target = open_target(text, environ={KEY: "sk-one", "CHAT_KEY": "sk-two"})
        assert "sk-" not in target.name


def test_another_file_is_another_target() -> None:
    first = open_target("command.toml").name
    Path("command.toml").write_text('kind = "command"\nargv = ["tac"]', encoding="utf-8")
    assert open_target("command.toml").name != first


def test_a_variant_of_a_file_goes_over_what_the_file_says(tmp_path: Path) -> None:
    path = tmp_path / "bot.toml"
    path.write_text(
        'kind = "openai"\nurl = "http://localhost/v1"\nmodel = "small"\n[options]\nseed = 7\n',
        encoding="utf-8",
    )
    variant = TargetVariant("large", {"temperature": 0})
    target = open_target(str(path), variant=variant)
    assert "#large@" in target.name
    assert {name: vars(target)["_fixed"][name] for name in ("model", "seed", "temperature")} == {
        "model": "large",
        "seed": 7,
        "temperature": 0,
    }


def test_targets_without_models_have_no_variants() -> None:
    with pytest.raises(AssayError, match="command targets do not"):
        open_target("command:cat", variant=TargetVariant("large"))
