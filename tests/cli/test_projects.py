"""`assay projects`, `assay audit` and the options of logging in, as typed."""

import json
import sqlite3

import pytest

STORE = ("--store", "s.db")


def test_projects_and_members_are_managed(run):
    assert run("projects", "create", "red", *STORE)[0] == 0
    assert run("projects", "add-member", "red", "Ann@X.example", "--role", "write", *STORE)[0] == 0
    assert run("projects", "add-member", "red", "group:qa", *STORE)[0] == 0
    code, out, _ = run("projects", "list", "--json", *STORE)
    assert code == 0
    assert json.loads(out) == {"default": {}, "red": {"ann@x.example": "write", "group:qa": "read"}}
    assert run("projects", "remove-member", "red", "group:qa", *STORE)[0] == 0
    _, out, _ = run("projects", "list", *STORE)
    assert out.split() == ["default", "red", "ann@x.example", "write"]
    assert run("projects", "url", "red", *STORE)[1].strip() == "sqlite:///s.projects/red.db"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("projects", "create", "Red"), "expected up to 40"),
        (("projects", "create", "default"), "exists already"),
        (("projects", "add-member", "none", "a@b.c"), "no project named 'none'"),
        (("projects", "add-member", "default", "ann"), "expected an e-mail address"),
        (("projects", "remove-member", "default", "a@b.c"), "is no member"),
        (("projects", "block", "a@b.c"), "has logged in"),
        (("keys", "create", "k", "--project", "none"), "no project named 'none'"),
        (("serve", "--oidc-issuer", "https://idp.example"), "needs all of"),
        (
            (
                *("serve", "--oidc-issuer", "http://idp.example", "--oidc-client-id", "x"),
                *("--public-url", "https://a.example"),
            ),
            "expected an address with https://",
        ),
    ],
)
def test_mistakes_are_told(run, words, said):
    code, _, err = run(*words, *STORE)
    assert code != 0
    assert said in err


def test_the_audit_trail_is_checked(run):
    run("projects", "create", "red", *STORE)
    code, out, err = run("audit", "check", *STORE)
    assert (code, "1 entries" in err) == (0, True)
    digest = out.strip()
    assert run("audit", "check", "--expect", digest, *STORE)[0] == 0
    code, _, err = run("audit", "check", "--expect", "0" * 64, *STORE)
    assert (code != 0, "its end was removed" in err) == (True, True)
    with sqlite3.connect("s.db") as connection:
        connection.execute("DROP TRIGGER audit_log_no_update")
        connection.execute("UPDATE audit_log SET actor = 'somebody else'")
    connection.close()
    code, _, err = run("audit", "check", *STORE)
    assert (code != 0, "broken at entry 1" in err) == (True, True)
