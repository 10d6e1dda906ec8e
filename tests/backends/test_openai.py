import json
import logging
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np
import pytest

from assay.backends import Backends
from assay.backends.cache import CachedEmbedder
from assay.backends.openai import BATCH_TEXTS, EndpointEmbedder
from assay.core import ModelError, ProfileError

KEY = "sk-secret-0123456789"
ATTEMPTS = 4


def good(texts):
    """An answer in which each vector says how long its text is, in turned order."""
    entries = [
        {"index": n, "embedding": [float(len(text)), 1.0, 0.0]} for n, text in enumerate(texts)
    ]
    return 200, {}, json.dumps({"data": entries[::-1]})


def vectors(*given):
    """An answer with just these vectors, whatever was asked after the probe."""
    body = {"data": [{"index": n, "embedding": vector} for n, vector in enumerate(given)]}
    return lambda texts: (200, {}, json.dumps(body))


def status(code, message="no", headers=()):
    return lambda texts: (code, dict(headers), json.dumps({"error": {"message": message}}))


class Endpoint:
    """A server on this machine whose answers a test scripts; without a script they are good."""

    def __init__(self):
        self.script, self.requests, self.headers = [], [], []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append(body["input"])
                outer.headers.append((self.path, dict(self.headers)))
                answer = outer.script.pop(0) if outer.script else good
                code, headers, text = answer(body["input"])
                self.send_response(code)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()


@pytest.fixture
def endpoint():
    server = Endpoint()
    yield server
    server.server.shutdown()
    server.server.server_close()


class Time:
    """A clock that only waiting moves, and chance that adds nothing."""

    def __init__(self):
        self.now, self.waits = 0.0, []

    def clock(self):
        return self.now

    def random(self):
        return 0.0

    async def sleep(self, seconds):
        self.waits.append(seconds)
        self.now += seconds


@pytest.fixture
def time():
    return Time()


@pytest.fixture
def model(endpoint, time):
    return EndpointEmbedder(
        "small", endpoint.url, KEY, sleep=time.sleep, clock=time.clock, random=time
    )


def test_vectors_come_in_the_order_of_the_texts(model, endpoint):
    found = model.embed(["four", "seven77", "x"])
    expected = [[n, 1.0, 0.0] / np.linalg.norm([n, 1.0, 0.0]) for n in (4, 7, 1)]
    assert np.allclose(found, expected, atol=1e-6)
    assert model.dimensions == 3
    path, headers = endpoint.headers[0]
    assert path == "/v1/embeddings"
    assert headers["authorization"] == f"Bearer {KEY}"


def test_many_texts_are_asked_in_batches(model, endpoint):
    texts = [f"text {n}" for n in range(BATCH_TEXTS + 5)]
    texts.append("long " * 30_000)
    assert len(model.embed(texts)) == len(texts)
    assert [len(asked) for asked in endpoint.requests] == [1, BATCH_TEXTS, 5, 1]


def test_no_texts_no_request(model, endpoint):
    assert model.embed([]) == []
    assert endpoint.requests == []


@pytest.mark.parametrize("code", [429, 500, 503])
def test_a_passing_failure_is_repeated(model, endpoint, time, code):
    endpoint.script = [status(code), status(code, headers={"Retry-After": "7"}.items()), good]
    assert len(model.embed(["text"])) == 1
    assert len(endpoint.requests) == 4  # the probe three times, then the text
    assert sum(time.waits) >= 7.5


def test_repetitions_end(model, endpoint, time):
    endpoint.script = [status(503, "busy")] * ATTEMPTS
    with pytest.raises(
        ModelError, match=r"'openai:small@127.*status 503, saying 'busy'.*ASSAY_EMBEDDINGS"
    ):
        model.embed(["text"])
    assert len(endpoint.requests) == ATTEMPTS


def test_a_wait_beyond_the_deadline_is_not_begun(model, endpoint, time):
    endpoint.script = [status(429, headers={"Retry-After": "86400"}.items())]
    with pytest.raises(ModelError, match="too many calls"):
        model.embed(["text"])
    assert time.waits == []


def test_a_failed_endpoint_is_left_alone_for_a_while(model, endpoint, time):
    endpoint.script = [status(500)] * 1000
    for _ in range(50):
        with pytest.raises(ModelError, match="status 500"):
            model.embed(["text"])
    assert len(endpoint.requests) <= 3 * ATTEMPTS  # not four for each of the fifty
    endpoint.script = []
    time.now += 60
    assert len(model.embed(["text"])) == 1


@pytest.mark.parametrize("code", [400, 401, 403, 404, 301])
def test_a_refusal_is_not_repeated(model, endpoint, time, code):
    endpoint.script = [status(code, "wrong")]
    with pytest.raises(ModelError, match=f"status {code}"):
        model.embed(["text"])
    assert len(endpoint.requests) == 1


def test_a_denied_key_is_tried_again_after_a_while_only(model, endpoint, time):
    endpoint.script = [status(401, "wrong")]
    for _ in range(5):
        with pytest.raises(ModelError, match="status 401"):
            model.embed(["text"])
    assert len(endpoint.requests) == 1
    time.now += 60
    assert len(model.embed(["text"])) == 1


def test_only_the_text_to_blame_goes_without_a_vector(model, endpoint):
    def picky(texts):
        return status(400, "too long")(texts) if "bad" in texts else good(texts)

    endpoint.script = [good, *[picky] * 20]
    found = model.embed(["a", "b", "bad", "c", "d"])
    assert [isinstance(vector, ModelError) for vector in found] == [
        False,
        False,
        True,
        False,
        False,
    ]
    assert "too long" in str(found[2])


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda texts: (200, {}, '{"data": [{"index": 0, "embedd'), "no usable vectors"),
        (lambda texts: (200, {}, "<html>Welcome</html>"), "no usable vectors"),
        (lambda texts: (200, {}, '{"data": []}'), "0 vectors for 1 texts"),
        (lambda texts: (200, {}, '{"data": [{"index": 0, "embedding": [NaN, 1]}]}'), "no usable"),
        (lambda texts: (200, {}, '{"data": [{"index": 0, "embedding": [1e999]}]}'), "too large"),
        (vectors([1.0, None, 0.0]), "something else than finite numbers"),
        (vectors("AAAA"), "not a list"),
        (vectors([]), "not a list"),
        (vectors([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]), "2 vectors for 1 texts"),
        (lambda texts: (200, {}, '{"data": [{"embedding": [1, 2, 3]}]}'), "KeyError"),
    ],
)
def test_an_odd_answer_is_an_error_never_a_vector(model, endpoint, answer, reason):
    endpoint.script = [good, answer]
    (found,) = model.embed(["text"])
    assert isinstance(found, ModelError)
    assert reason in str(found)


def test_an_endpoint_that_never_gives_vectors_is_an_error(model, endpoint):
    endpoint.script = [lambda texts: (200, {}, "<html>Welcome</html>")]
    with pytest.raises(ModelError, match="no usable vectors"):
        model.embed(["text"])


def test_an_answer_that_was_cut_off_is_asked_for_again_in_parts(model, endpoint):
    endpoint.script = [good, lambda texts: (200, {}, good(texts)[2][:40])]
    assert [round(float(v[0] / v[1])) for v in model.embed(["one", "seven77"])] == [3, 7]


@pytest.mark.parametrize(
    ("vector", "reason"),
    [([1.0, 2.0], "2 values after one of 3"), ([0.0, 0.0, 0.0], "without direction")],
)
def test_an_odd_vector_concerns_its_text_alone(model, endpoint, vector, reason):
    endpoint.script = [good, vectors([1.0, 0.0, 0.0], vector)]
    fine, odd = model.embed(["one", "two"])
    assert fine.tolist() == [1.0, 0.0, 0.0]
    assert reason in str(odd)


def test_a_closed_port_is_an_error_with_a_reason(endpoint, time):
    endpoint.server.server_close()
    model = EndpointEmbedder("small", endpoint.url, sleep=time.sleep, clock=time.clock, random=time)
    with pytest.raises(ModelError, match="ConnectError"):
        model.embed(["text"])
    assert time.waits == [0.5, 1.0, 2.0]


def test_the_key_is_in_no_message_and_no_log(model, endpoint, caplog):
    endpoint.script = [status(401, f"the key {KEY} is wrong")]
    with caplog.at_level(logging.DEBUG), pytest.raises(ModelError) as raised:
        model.embed(["text"])
    assert "the key [secret] is wrong" in str(raised.value)
    assert KEY not in caplog.text + str(raised.value) + repr(vars(model)["name"])


def test_the_environment_names_the_endpoint(endpoint, monkeypatch):
    monkeypatch.setenv("ASSAY_EMBEDDINGS_URL", f"{endpoint.url}?api-version=1")
    chosen = Backends(embedder="openai:small", cache=False)
    assert chosen.identity("embedder") == f"openai:small@127.0.0.1:{endpoint.server.server_port}/v1"
    monkeypatch.setenv("ASSAY_EMBEDDINGS_URL", endpoint.url)
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert len(chosen.get("embedder").embed(["text", "text", ""])) == 3
    assert endpoint.requests == [["dimension"], ["text"]]


def test_kept_vectors_need_no_endpoint(model, endpoint, tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path))
    (first,) = CachedEmbedder(model).embed(["text"])
    later = EndpointEmbedder("small", endpoint.url)
    (second,) = CachedEmbedder(later).embed(["text"])
    assert first.tobytes() == second.tobytes()
    assert endpoint.requests == [["dimension"], ["text"]]


@pytest.mark.parametrize("url", ["", "localhost:80", "ftp://host/v1", "http://me:pass@host/v1"])
def test_an_address_that_will_not_do_is_refused(url, monkeypatch):
    monkeypatch.setenv("ASSAY_EMBEDDINGS_URL", url)
    with pytest.raises(ProfileError, match="ASSAY_EMBEDDINGS_URL"):
        Backends(embedder="openai:other").get("embedder").embed(["text"])
