"""An identity provider on loopback: discovery, keys, codes with PKCE, and ID tokens as asked."""

import base64
import hashlib
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, parse_qsl, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT, SECRET = "assay-client", "client-secret-canary-5531"


class Provider:
    """What it says can be changed by a test: claims, keys, algorithm, documents."""

    def __init__(self, now):
        self.now = now
        self.issuer = ""
        self.keys = {"one": rsa.generate_private_key(public_exponent=65537, key_size=2048)}
        self.signing = "one"
        self.claims = {"sub": "42", "name": "Ann", "email": "ann@x.example", "email_verified": True}
        self.changed = {}
        self.document = {}
        self.token = self.made_token
        self.status = 200
        self.codes = {}
        self.calls = []

    def authorise(self, location):
        """What a person does who logs in: gives the address that the browser is sent back to."""
        query = dict(parse_qsl(urlsplit(location).query))
        assert location.startswith(f"{self.issuer}/authorize?")
        assert query["response_type"] == "code"
        assert query["code_challenge_method"] == "S256"
        code = f"code-canary-{len(self.codes)}"
        self.codes[code] = query
        return f"{query['redirect_uri']}?code={code}&state={query['state']}"

    def made_token(self, query):
        """An ID token for a code."""
        claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "exp": self.now() + 300,
            "iat": self.now(),
            "nonce": query["nonce"],
            **self.claims,
            **self.changed,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        key = self.keys[self.signing]
        return jwt.encode(claims, key, algorithm="RS256", headers={"kid": self.signing})

    def get(self, path):
        if path == "/.well-known/openid-configuration":
            document = {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/keys",
            }
            return 200, document | self.document
        if path == "/keys":
            keys = [
                json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key()))
                | {"kid": name, "use": "sig"}
                for name, key in self.keys.items()
            ]
            return 200, {"keys": keys}
        return 404, {}

    def post(self, form):
        """The token endpoint: a code is good once, for who began with its verifier."""
        query = self.codes.pop(form.get("code"), None)
        challenge = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        if (
            query is None
            or form.get("client_secret") != SECRET
            or form.get("redirect_uri") != query["redirect_uri"]
            or base64.urlsafe_b64encode(challenge).rstrip(b"=").decode() != query["code_challenge"]
        ):
            return 400, {"error": "invalid_grant"}
        return self.status, {"id_token": self.token(query), "access_token": "access-canary"}


@contextmanager
def provider(now):
    """A provider that answers at an address of its own."""
    made = Provider(now)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self._send(*made.get(urlsplit(self.path).path))

        def do_POST(self):
            length = int(self.headers["content-length"])
            form = {k: v[0] for k, v in parse_qs(self.rfile.read(length).decode()).items()}
            self._send(*made.post(form))

        def _send(self, status, body):
            made.calls.append((self.command, self.path))
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *words):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        made.issuer = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield made
        finally:
            server.shutdown()
            thread.join()
