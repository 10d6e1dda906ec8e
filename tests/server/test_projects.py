"""Projects: nothing of one is seen, changed or counted in another, whoever asks."""

import pytest
from tests.server.client import MOMENT, Client
from tests.store.scored import make_samples, stored_run

from assay.core import UsageError
from assay.server.access import Holder, declared
from assay.server.api_keys import create_key
from assay.store import open_store
from assay.store.audit import AuditFilter, check_trail, list_entries
from assay.store.projects import (
    DEFAULT,
    create_project,
    list_members,
    project_url,
    remove_member,
    set_member,
)
from assay.store.users import Claims, save_login

ASKED = {"x-assay-client": "test"}


@pytest.fixture
def client(url, tmp_path):
    with Client(url, tmp_path) as made:
        for name in ("red", "blue"):
            create_project(made.store, name, made.change)
            stored_run(made.app.state.projects.store(name), make_samples(3), f"run of {name}")
        stored_run(made.store, make_samples(3), "run of default")
        yield made


def key(client, project, role="read"):
    name = f"{role} of {project}"
    made = create_key(client.store, name, role, client.change, project=project)
    return {"authorization": f"Bearer {made.key}", **ASKED}


def user(client, email, **headers):
    """A session of somebody who logged in."""
    claims = Claims("https://idp.example", email, email.partition("@")[0], email)
    saved = save_login(client.store, claims, client.now)
    id = client.app.state.sessions.start(Holder("user", saved.id), client.now)
    return {"cookie": f"assay_session={id}", **ASKED, **headers}


def names(client, headers):
    response = client.call("GET", "/v1/runs", headers=headers)
    assert response.status_code == 200, response.text
    return [run["name"] for run in response.json()["items"]]


@pytest.mark.parametrize("project", [DEFAULT, "red", "blue"])
def test_a_key_opens_its_own_project(client, project):
    assert names(client, key(client, project)) == [f"run of {project}"]


def test_a_key_of_a_project_opens_no_other(client):
    for role in ("read", "write", "admin"):
        headers = key(client, "red", role)
        for other in ("blue", DEFAULT, "green", "../red", ""):
            response = client.call("GET", "/v1/runs", headers={**headers, "x-assay-project": other})
            assert response.status_code == 403, (role, other)
        cookie = {**headers, "cookie": "assay_project=blue"}
        assert names(client, cookie) == ["run of red"]


def test_an_admin_of_the_default_project_opens_all(client):
    headers = key(client, DEFAULT, "admin")
    for project in ("red", "blue", DEFAULT):
        assert names(client, {**headers, "x-assay-project": project}) == [f"run of {project}"]
    answer = client.call("GET", "/v1/runs", headers={**headers, "x-assay-project": "green"})
    assert answer.status_code == 403
    for role in ("read", "write"):
        asked = {**key(client, DEFAULT, role), "x-assay-project": "red"}
        assert client.call("GET", "/v1/runs", headers=asked).status_code == 403


def test_members_see_their_projects_alone(client):
    set_member(client.store, "red", "ann@x.example", "write", client.change)
    set_member(client.store, "blue", "bob@x.example", "read", client.change)
    set_member(client.store, "red", "bob@x.example", "read", client.change)
    ann, bob = user(client, "ann@x.example"), user(client, "bob@x.example")
    assert names(client, ann) == ["run of red"]
    assert names(client, bob) == ["run of blue"]  # the first by name
    assert names(client, {**bob, "x-assay-project": "red"}) == ["run of red"]
    answer = client.call("GET", "/v1/runs", headers={**ann, "x-assay-project": "blue"})
    assert answer.status_code == 403
    nobody = user(client, "eve@x.example")
    assert client.call("GET", "/v1/runs", headers=nobody).status_code == 403
    remove_member(client.store, "red", "ann@x.example", client.change)
    assert client.call("GET", "/v1/runs", headers=ann).status_code == 403


def test_a_browser_chooses_between_its_projects(client):
    for project in ("red", "blue"):
        set_member(client.store, project, "ann@x.example", "read", client.change)
    ann = user(client, "ann@x.example")
    listed = client.call("GET", "/v1/projects", headers=ann).json()
    assert [(one["name"], one["is_current"]) for one in listed] == [("blue", True), ("red", False)]
    chosen = client.call("POST", "/v1/project", headers=ann, json={"name": "red"})
    assert chosen.json() == {"name": "red", "role": "read", "is_current": True}
    cookie = chosen.headers["set-cookie"]
    assert all(word in cookie for word in ("HttpOnly", "SameSite=strict"))
    both = f"{ann['cookie']}; {cookie.partition(';')[0]}"
    assert names(client, {**ann, "cookie": both}) == ["run of red"]
    for other in (DEFAULT, "green"):
        answer = client.call("POST", "/v1/project", headers=ann, json={"name": other})
        assert answer.status_code == 403


def test_an_admin_of_a_project_is_no_admin_of_the_server(client):
    set_member(client.store, "red", "ann@x.example", "admin", client.change)
    for headers in (user(client, "ann@x.example"), key(client, "red", "admin")):
        own = client.call(
            "PUT",
            "/v1/projects/red/members",
            headers=headers,
            json={"member": "New@x.example", "role": "read"},
        )
        assert own.status_code == 200
        for path in ("/v1/projects/blue/members", f"/v1/projects/{DEFAULT}/members"):
            body = {"member": "ann@x.example", "role": "admin"}
            assert client.call("PUT", path, headers=headers, json=body).status_code == 404
        server_wide = {path for path, _, access in declared(client.app) if access.is_server}
        assert server_wide >= {"/v1/projects", "/v1/apps"}
        made = client.call("POST", "/v1/projects", headers=headers, json={"name": "mine"})
        assert made.status_code == 403
        made = client.call("POST", "/v1/apps", headers=headers, json={"name": "mine"})
        assert made.status_code == 403
    assert [one.member for one in list_members(client.store, "red")] == [
        "ann@x.example",
        "new@x.example",
    ]
    assert list_members(client.store, DEFAULT) == []


def test_nothing_of_another_project_is_found_by_any_route(client):
    """Every route that reads, with the names and ids of the other project."""
    red = key(client, "red", "admin")
    wanted = {"name": "run of blue", "test_id": "1-0", "path": "x"}
    asked = 0
    for path, method, access in declared(client.app):
        if method != "GET" or access.need == "public" or path.endswith(("events", "stream")):
            continue
        address = path.replace(":path}", "}")
        for field, value in wanted.items():
            address = address.replace(f"{{{field}}}", value)
        if "{" in address:
            continue
        response = client.call("GET", address, headers=red)
        asked += 1
        text = response.text if response.status_code < 400 else ""  # errors repeat what was asked
        assert "run of blue" not in text, address
        assert "run of default" not in text, address
    assert asked > 30


def test_changes_stay_in_their_project(client):
    red, blue = key(client, "red", "admin"), key(client, "blue", "admin")
    answer = client.call("DELETE", "/v1/runs/run of blue", headers=red)
    assert answer.status_code == 404
    assert client.call("DELETE", "/v1/runs/run of red", headers=red).status_code == 204
    assert (names(client, red), names(client, blue)) == ([], ["run of blue"])
    stores = client.app.state.projects
    actions = [e.action for e in list_entries(stores.store("red"), AuditFilter())[0]]
    assert actions == ["run.removed"]
    assert list_entries(stores.store("blue"), AuditFilter())[1] == 0
    assert check_trail(stores.store("red")).entries == 1


def test_uploads_and_jobs_stay_in_their_project(client):
    red, blue = key(client, "red", "write"), key(client, "blue", "write")
    body = {"samples": [{"response": "Hello."}], "metrics": ["text.safety"]}
    job = client.call("POST", "/v1/jobs", headers=red, json=body)
    assert job.status_code == 202, job.text
    path = f"/v1/jobs/{job.json()['id']}"
    assert client.call("GET", path, headers=red).status_code == 200
    assert client.call("GET", path, headers=blue).status_code == 404
    assert client.call("GET", path, role="read").status_code == 404


def test_the_local_user_opens_all(tmp_path):
    with Client(f"sqlite:///{tmp_path / 'a.db'}", tmp_path, require_key=False) as client:
        create_project(client.store, "red", client.change)
        made = client.call("POST", "/v1/projects", headers=ASKED, json={"name": "blue"})
        assert made.status_code == 201
        listed = client.call("GET", "/v1/projects").json()
        assert [one["name"] for one in listed] == ["blue", DEFAULT, "red"]
        assert names(client, {"x-assay-project": "red"}) == []
        assert client.trail("project.")[0]["subject"] == "blue"


@pytest.mark.parametrize("name", ["", "Red", "a b", "../x", "a-b", "x" * 41, "1a", "a;drop", "ä"])
def test_what_cannot_name_a_project_is_refused(tmp_path, name):
    store = open_store(str(tmp_path / "a.db"))
    with pytest.raises(UsageError, match="name"):
        create_project(store, name, Client.change.fget(type("At", (), {"now": MOMENT})))
    with pytest.raises(UsageError, match="name"):
        project_url("sqlite:///x.db", name)
    store.close()


@pytest.mark.parametrize("member", ["", "ann", "group:", "a b@c", "a@b@c", "group:\n"])
def test_what_cannot_name_a_member_is_refused(client, member):
    with pytest.raises(UsageError, match="member"):
        set_member(client.store, "red", member, "read", client.change)


def test_stores_lie_beside_each_other():
    assert (
        project_url("sqlite:///.assay/assay.db", "red") == "sqlite:///.assay/assay.projects/red.db"
    )
    assert project_url("runs.db", "red") == "sqlite:///runs.projects/red.db"
    assert project_url("postgresql://u:p@h/db", "red") == "postgresql://u:p@h/db?schema=assay_red"
    assert project_url("runs.db", DEFAULT) == "runs.db"
