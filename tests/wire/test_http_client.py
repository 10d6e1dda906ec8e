import asyncio
import datetime
import logging
import socket
import ssl
from base64 import b64encode
from contextlib import aclosing, closing
from dataclasses import replace
from email.utils import format_datetime
from threading import Thread

import pytest
from tests.faults.server import FaultServer
from tests.faults.shapes import EVENTS, JSON, chunk, head, whole

from assay.core import UsageError
from assay.wire.address import check_address, check_headers, place_of
from assay.wire.call_errors import CallError, Fault
from assay.wire.exchange import Request
from assay.wire.fault_classes import retry_after
from assay.wire.http_client import Reply, Wire
from assay.wire.limits import CallLimits

KEY = "sk-secret-0123456789"
LIMITS = CallLimits(connect=20.0, first_byte=20.0, idle=20.0, total=60.0)
"""However busy the machine is."""


async def echo(connection):
    """Everything that came, as the answer."""
    said = dict(connection.request.headers) | {"body": connection.request.body.decode()}
    await whole(connection, said)


async def echo_failure(connection):
    said = f"bad key {KEY} {b64encode(KEY.encode()).decode()} \x1b[31mred\u202e{'x' * 900}"
    await whole(connection, {"error": {"message": said}}, 400)


async def setting_cookies(connection):
    await whole(connection, {}, headers=(*JSON, ("Set-Cookie", "a=b; Path=/")))


async def drop_after(connection):
    """A whole answer, and then the connection ends although it might be used again."""
    await whole(connection, {})
    connection.end()


async def words(connection):
    await connection.write(head(200, (*EVENTS, ("Transfer-Encoding", "chunked"))))
    for word in ("one", "two", "three"):
        await connection.write(chunk(f"data: {word}\n\n".encode()))
    await connection.gone()


@pytest.fixture(scope="module")
def server():
    plays = (echo, echo_failure, setting_cookies, drop_after, words)
    running = FaultServer({play.__name__: play for play in plays})
    yield running
    running.stop()


def send(*requests, limits=LIMITS, secrets=()):
    """The replies or errors of requests, one after another, over one wire."""

    async def work():
        found = []
        async with Wire(limits, secrets=secrets) as wire:
            for request in requests:
                try:
                    found.append(await wire.send(request))
                except CallError as error:
                    found.append(error)
        return found

    return asyncio.run(work())


def post(url, body=b"{}", **headers):
    return Request("POST", url, {name.replace("_", "-"): v for name, v in headers.items()}, body)


def test_a_reply(server):
    (reply,) = send(post(server.url("echo"), b'{"a": 1}', X_Own="yes"))
    assert isinstance(reply, Reply)
    assert (reply.status, reply.headers["content-type"]) == (200, "application/json")
    assert '"x-own": "yes"' in reply.text
    assert '"user-agent": "assay"' in reply.text
    assert reply.seconds >= 0


def test_a_key_that_comes_back_is_hidden(server):
    request = post(server.url("echo"), authorization=f"Bearer {KEY}")
    (reply,) = send(request, secrets=[KEY])
    assert KEY not in reply.text and "Bearer [secret]" in reply.text
    assert KEY not in repr(request)


def test_a_message_holds_no_secret_and_no_control_characters(server):
    url = server.url("echo_failure") + "?token=hidden-in-the-address"
    for request, secrets in (
        (post(url), [KEY]),
        (post(url, authorization=f"Bearer {KEY}"), []),
        (post(url, x_api_key=KEY), []),
    ):
        (error,) = send(request, secrets=secrets)
        assert (error.fault, error.status) == (Fault.REFUSED, 400)
        assert KEY not in str(error) and b64encode(KEY.encode()).decode() not in str(error)
        assert "[secret]" in str(error) and "hidden-in" not in str(error)
        assert str(error).isprintable() and len(str(error)) < 400


def test_logs_hold_no_secret(server, caplog):
    caplog.set_level(logging.DEBUG)
    url = server.url("echo") + "?token=hidden-in-the-address"
    send(post(url, b"hidden-in-the-body", authorization=f"Bearer {KEY}"), secrets=[KEY])
    assert caplog.records, "the HTTP library speaks at this level"
    assert KEY not in caplog.text and "hidden-in" not in caplog.text


def test_the_clock_starts_when_the_request_goes_out(server):
    """Connecting does not count."""
    moments = []

    async def work():
        async with Wire(LIMITS) as wire:
            request = post(server.url("words"))
            events = wire.events(request, sent=lambda: moments.append("sent"))
            async with aclosing(events):
                moments.append(await anext(events))

    asyncio.run(work())
    assert moments == ["sent", "one"]


def test_cookies_are_not_kept(server):
    send(post(server.url("setting_cookies")), post(server.url("setting_cookies")))
    assert not any("cookie" in seen.headers for seen in server.seen("setting_cookies"))


def test_a_connection_that_ended_meanwhile_is_replaced(server):
    replies = send(*[post(server.url("drop_after"))] * 5)
    assert sum(isinstance(reply, Reply) for reply in replies) >= 3
    assert {error.fault for error in replies if isinstance(error, CallError)} <= {Fault.CONNECTION}


def test_leaving_a_stream_early_closes_the_connection(server):
    async def work():
        async with Wire(LIMITS) as wire:
            async with aclosing(wire.events(post(server.url("words")))) as events:
                first = await anext(events)
            return first, await asyncio.to_thread(server.is_settled)

    assert asyncio.run(work()) == ("one", True)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://localhost/",
        "file:///etc/passwd",
        "localhost:8080/v1",
        "http://",
        "http:///v1",
        "http://localhost:0/",
        "http://localhost:99999/",
        "http://[::1/",
        "http://user@localhost/",
        "http://user:word@localhost/",
        "http://:word@localhost/",
        "http://local host/",
        "http://localhost/\r\nX: y",
        "javascript:alert(1)",
        "",
    ],
)
def test_addresses_that_are_not_asked(url):
    with pytest.raises(UsageError):
        check_address(url)
    (error,) = send(post(url))
    assert error.fault is Fault.ACCESS
    assert "word" not in str(error).replace("password", "")


@pytest.mark.parametrize("url", ["http://localhost", "https://[::1]:8080/v1?a=b", "HTTP://a.b/"])
def test_addresses_that_are_asked(url):
    check_address(url)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("X-A", "a\r\nX-B: b"),
        ("X-A", "naïve"),
        ("X A", "a"),
        ("", "a"),
        ("X-A", " a"),
        ("X:A", "a"),
    ],
)
def test_headers_that_are_not_sent(name, value):
    with pytest.raises(UsageError):
        check_headers({name: value})
    (error,) = send(Request("GET", "http://localhost:9/", {name: value}))
    assert error.fault is Fault.ACCESS


def test_a_place_is_an_address_without_secrets():
    assert place_of("https://me:pw@host:81/a/b?key=1#part") == "https://host:81/a/b"
    assert place_of("http://[::1]:80/") == "http://[::1]:80/"
    assert place_of("http://[bad") == "the address"


NOW = 1_800_000_000.0


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        ("120", 120.0),
        ("1.5", 1.5),
        ("1000000000", 1e9),
        ("99999999999999999999", 1e9),
        ("9" * 5_000, None),
        ("-1", None),
        ("+1", None),
        ("1_000", None),
        ("٣", None),
        ("inf", None),
        ("soon", None),
        ("", None),
        ("Sun, 99 Foo 2026 99:99:99 GMT", None),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("Wed, 21 Oct 2015 07:28:00 -0000", 0.0),
    ],
)
def test_retry_after(value, seconds):
    assert retry_after(value, NOW) == seconds


def test_retry_after_a_date():
    date = datetime.datetime.fromtimestamp(NOW + 90, datetime.UTC)
    assert retry_after(format_datetime(date, usegmt=True), NOW) == 90.0
    local = date.astimezone(datetime.timezone(datetime.timedelta(hours=-8)))
    assert retry_after(format_datetime(local), NOW) == 90.0


# -- connections that do not come about ----------------------------------------------------------


def test_nobody_listens():
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        (error,) = send(post(f"http://127.0.0.1:{free.getsockname()[1]}/v1"))
    assert error.fault is Fault.CONNECTION


def test_nobody_takes_the_call():
    with closing(socket.socket()) as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting = [socket.socket() for _ in range(8)]
        for caller in waiting:
            caller.setblocking(False)
            caller.connect_ex(full.getsockname())
        address = f"http://127.0.0.1:{full.getsockname()[1]}/v1"
        (error,) = send(post(address), limits=replace(LIMITS, connect=0.2))
        for caller in waiting:
            caller.close()
    assert error.fault is Fault.TIMEOUT
    assert "no connection within 0.2 s" in str(error)


def test_a_name_that_nobody_knows(monkeypatch):
    def unknown(*args, **kwargs):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    (error,) = send(post("http://nowhere.invalid/v1"))
    assert error.fault is Fault.CONNECTION
    assert "http://nowhere.invalid/v1" in str(error)


def test_no_tls_on_the_other_side():
    with closing(socket.create_server(("127.0.0.1", 0))) as plain:

        def serve():
            caller, _ = plain.accept()
            caller.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            caller.close()

        thread = Thread(target=serve)
        thread.start()
        address = f"127.0.0.1:{plain.getsockname()[1]}"
        (error,) = send(post(f"https://{address}/v1"), limits=CallLimits(connect=20.0))
        thread.join()
    assert error.fault is Fault.CONNECTION


def test_a_certificate_that_nobody_vouches_for(tmp_path):
    secure = FaultServer({"echo": echo}, ssl=own_certificate(tmp_path))
    request = post(secure.url("echo"), authorization=f"Bearer {KEY}")
    (error,) = send(request, limits=CallLimits(connect=20.0))
    secure.stop()
    assert secure.requests == []
    assert error.fault is Fault.ACCESS
    assert "certificate" in str(error).lower()


def own_certificate(folder):
    """A context for a server whose certificate it made itself."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    encoding = serialization.Encoding.PEM
    path = folder / "certificate.pem"
    path.write_bytes(
        certificate.public_bytes(encoding)
        + key.private_bytes(
            encoding, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context


@pytest.mark.parametrize("name", ["connect", "first_byte", "idle", "total", "max_bytes"])
def test_limits_are_positive(name):
    with pytest.raises(UsageError, match=name):
        CallLimits(**{name: 0})


@pytest.mark.parametrize(("seconds", "idle"), [(2.0, 2.0), (600.0, 30.0)])
def test_limits_within_a_time(seconds, idle):
    limits = CallLimits.within(seconds)
    assert (limits.first_byte, limits.idle, limits.total) == (seconds, idle, seconds)
    assert limits.max_bytes == CallLimits().max_bytes
