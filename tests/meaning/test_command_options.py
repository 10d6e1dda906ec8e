"""Options of commands in responses and expected answers."""

import pytest

from assay.meaning.command_options import other_option


@pytest.mark.parametrize(
    ("response", "accepted", "expected"),
    [
        ("Use `git branch --all`.", "git branch -a", False),
        ("Use `git branch --delete`.", "git branch -a", True),
        ("git branch -d", "git branch -a", True),
        ("ls -al", "ls -la", False),
        ("ls -l", "ls -la", True),
        ("tar -xzf file", "tar -x -z -f file", False),
        ("Run git branch with the flag for all branches.", "git branch -a", False),
        ("grep --recursive --ignore-case", "grep -r", False),
        ("A well-known e-mail client - by the way", "state-of-the-art", False),
        ("It costs 5-10 euros.", "-5 degrees", False),
    ],
)
def test_another_option_is_told_from_its_long_form(response, accepted, expected):
    assert other_option(response, accepted) is expected
