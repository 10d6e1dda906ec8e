"""Requests made to be expensive: floods of headers in forms, of ranges and of parts."""

import pytest

FLOODS = {
    "headers of one part": b"--b\r\n" + b"x-a: 1\r\n" * 100_000 + b"\r\nx\r\n--b--\r\n",
    "one long header": b"--b\r\nx-a: " + b"1" * 1_000_000 + b"\r\n\r\nx\r\n--b--\r\n",
    "parts": b'--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n' * 20_000
    + b"--b--\r\n",
    "no end of a header": b"--b\r\n" + b"x" * 1_000_000,
    "boundaries alone": b"--b\r\n" * 200_000,
}


@pytest.mark.parametrize("body", FLOODS.values(), ids=FLOODS)
def test_a_form_that_floods_is_refused(client, body):
    headers = {"content-type": "multipart/form-data; boundary=b"}
    found = client.post("/v1/uploads", content=body, headers=headers)
    assert found.status_code == 400, found.text
    assert client.get("/v1/uploads").json() == []
    assert client.get("/health", role=None).status_code == 200


@pytest.mark.parametrize(
    "ranges",
    [
        "bytes=" + ",".join(f"{n}-{n}" for n in range(10_000)),
        "bytes=" + "0-," * 20_000,
        "x" * 50_000,
    ],
    ids=["10,000 ranges", "20,000 open ranges", "no ranges"],
)
@pytest.mark.parametrize("path", ["/", "/favicon.ico", "/assets/index.js", "/v1/runs"])
def test_ranges_cost_nothing(client, path, ranges):
    plain = client.get(path)
    found = client.get(path, headers={"range": ranges})
    assert found.status_code == plain.status_code
    if plain.status_code == 200:  # errors carry a number of their own
        assert found.content == plain.content
