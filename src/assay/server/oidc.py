"""Logging in through an identity provider: OpenID Connect, the code flow with PKCE.

Each login has a state, a nonce and a verifier of its own, kept here until the browser comes back
with the same cookie that it left with. The ID token's signature is checked against the provider's
published keys, with asymmetric algorithms alone. Nothing of it is logged: neither code nor token
nor the client's secret.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlencode, urlsplit

from assay.core import AssayError, UsageError
from assay.core.extras import require
from assay.core.jsontext import loads
from assay.server.config import OidcConfig, is_loopback
from assay.store.users import Claims

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA")
"""Signatures with a key pair: what anybody can check, only the provider can make."""
LOGIN_SECONDS = 600
MAX_LOGINS = 1000
"""Logins that are under way at a time; more, and the oldest are forgotten."""
DOCUMENT_SECONDS, KEYS_SECONDS = 3600, 30
"""How long the provider's description is kept, and its keys where a token names another."""
LEEWAY = 60
"""Seconds that the clocks of two machines may differ by."""
MAX_BYTES, CALL_SECONDS = 1_000_000, 10.0
Json = Mapping[str, Any]


LoginProblem = Literal["declined", "expired", "provider", "token"]
"""Why a login fails: the person or the provider said no, it was not begun here or too long ago,
the provider does not answer as it should, or what it vouches for does not hold."""


class LoginError(AssayError):
    """Log in again; if that does not help, compare the settings of server and provider."""

    def __init__(self, message: str, problem: LoginProblem = "token") -> None:
        super().__init__(message)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class LoginStart:
    """A login that begins: where to send the browser, and the cookie to send along."""

    location: str
    cookie: str


@dataclass(frozen=True, slots=True)
class _Pending:
    cookie: str
    nonce: str
    verifier: str
    ends: float


class OidcClient:
    """The server's side of logins through one provider."""

    def __init__(self, config: OidcConfig, now: Callable[[], float]) -> None:
        require("jwt", "oidc")
        require("httpx2", "oidc")
        self._config = config
        self._now = now
        self._pending: OrderedDict[str, _Pending] = OrderedDict()
        self._document: tuple[float, Mapping[str, Any]] | None = None
        self._keys: tuple[float, Mapping[str, Any]] | None = None

    @property
    def callback(self) -> str:
        """Where the provider sends browsers back to."""
        return f"{self._config.public_url}/v1/oidc/callback"

    def start(self) -> LoginStart:
        """Begin a login."""
        state, cookie, nonce = (secrets.token_urlsafe(32) for _ in range(3))
        verifier = secrets.token_urlsafe(64)
        endpoint = self._endpoint("authorization_endpoint")
        self._pending[state] = _Pending(cookie, nonce, verifier, self._now() + LOGIN_SECONDS)
        while len(self._pending) > MAX_LOGINS:
            self._pending.popitem(last=False)
        challenge = hashlib.sha256(verifier.encode()).digest()
        query = urlencode(
            {
                "response_type": "code",
                "client_id": self._config.client_id,
                "redirect_uri": self.callback,
                "scope": " ".join(self._config.scopes),
                "state": state,
                "nonce": nonce,
                "code_challenge": base64.urlsafe_b64encode(challenge).rstrip(b"=").decode(),
                "code_challenge_method": "S256",
            }
        )
        return LoginStart(f"{endpoint}{'&' if '?' in endpoint else '?'}{query}", cookie)

    def finish(self, state: str, code: str, cookie: str) -> Claims:
        """Who logged in; refuses what does not belong to a login that this browser began."""
        pending = self._pending.pop(state, None)
        if (
            pending is None
            or pending.ends <= self._now()
            or not hmac.compare_digest(pending.cookie.encode(), cookie.encode())
        ):
            raise LoginError(
                "this login was not begun here, or too long ago; log in again", "expired"
            )
        answer = self._post(
            self._endpoint("token_endpoint"),
            {
                "grant_type": "authorization_code",
                "code": code,
                "redirect_uri": self.callback,
                "client_id": self._config.client_id,
                "code_verifier": pending.verifier,
            },
        )
        token = answer.get("id_token")
        if not isinstance(token, str):
            raise LoginError("the identity provider sent no ID token", "provider")
        return self._claims(self._verified(token, pending.nonce))

    def _verified(self, token: str, nonce: str) -> Mapping[str, Any]:
        """The claims of an ID token, once all is checked that OpenID Connect Core 3.1.3.7 asks."""
        import jwt

        try:
            head = jwt.get_unverified_header(token)
            key = self._key(head)
            claims: dict[str, Any] = jwt.decode(
                token,
                key,
                algorithms=[head["alg"]],  # one of ours: the key was chosen by it
                audience=self._config.client_id,
                issuer=self._config.issuer,
                options={
                    "require": ["exp", "iat", "iss", "aud", "sub"],
                    "verify_exp": False,  # by our own clock, below
                    "verify_iat": False,
                    "verify_nbf": False,
                },
            )
        except (jwt.PyJWTError, ValueError, KeyError, TypeError):
            raise LoginError("the ID token is not valid") from None
        self._check_times(claims)
        audience = claims["aud"]
        is_shared = isinstance(audience, list) and len(audience) > 1
        if (is_shared or "azp" in claims) and claims.get("azp") != self._config.client_id:
            raise LoginError("the ID token is for another client")
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
            raise LoginError("the ID token belongs to another login")
        return claims

    def _check_times(self, claims: Mapping[str, Any]) -> None:
        now = self._now()
        ends, begins = claims["exp"], max(claims["iat"], claims.get("nbf", claims["iat"]))
        if not all(isinstance(time, int | float) for time in (ends, begins)):
            raise LoginError("the ID token is not valid")
        if ends <= now - LEEWAY or begins > now + LEEWAY:
            raise LoginError("the ID token has ended, or the clocks of the two machines differ")

    def _key(self, head: Mapping[str, Any]) -> Any:
        """The provider's key that a token names; fetched again where it is not known."""
        import jwt

        if head.get("alg") not in ALGORITHMS:
            raise ValueError("an algorithm that is not taken")
        for is_again in (False, True):
            for key in self._published(is_again).get("keys", ()):
                is_meant = head.get("kid") is None or key.get("kid") == head["kid"]
                if is_meant and key.get("use", "sig") == "sig" and key.get("kty") != "oct":
                    if key.get("alg", head["alg"]) != head["alg"]:
                        continue
                    return jwt.PyJWK(key, algorithm=head["alg"]).key
        raise ValueError("no such key")

    def _published(self, is_again: bool) -> Mapping[str, Any]:
        now = self._now()
        kept = KEYS_SECONDS if is_again else DOCUMENT_SECONDS
        if self._keys is None or self._keys[0] + kept <= now:
            self._keys = (now, self._get(self._endpoint("jwks_uri")))
        return self._keys[1]

    def _claims(self, claims: Mapping[str, Any]) -> Claims:
        email = claims.get("email")
        is_verified = claims.get("email_verified") is True
        groups = claims.get(self._config.groups_claim, ())
        subject = str(claims["sub"])[:255]
        name = next(
            (claims[key] for key in ("name", "preferred_username") if claims.get(key)), subject
        )
        return Claims(
            self._config.issuer,
            subject,
            str(name)[:100],
            email[:300] if is_verified and isinstance(email, str) else "",
            tuple(str(group)[:200] for group in groups[:200]) if isinstance(groups, list) else (),
        )

    def _endpoint(self, name: str) -> str:
        now = self._now()
        if self._document is None or self._document[0] + DOCUMENT_SECONDS <= now:
            address = f"{self._config.issuer.rstrip('/')}/.well-known/openid-configuration"
            document = self._get(address)
            if document.get("issuer") != self._config.issuer:
                raise LoginError("the identity provider calls itself by another name", "provider")
            self._document = (now, document)
        try:
            return checked_url(str(self._document[1].get(name, "")), f"the provider's {name}")
        except UsageError as error:
            raise LoginError(str(error), "provider") from None

    def _get(self, url: str) -> Mapping[str, Any]:
        return self._call("GET", url)

    def _post(self, url: str, form: Mapping[str, str]) -> Mapping[str, Any]:
        secret = self._config.client_secret
        return self._call("POST", url, form if not secret else {**form, "client_secret": secret})

    def _call(self, method: str, url: str, form: Mapping[str, str] | None = None) -> Json:
        """The provider's answer; redirects are not followed, and what it says is not repeated."""
        import httpx2

        data = b""
        try:
            with (
                httpx2.Client(timeout=CALL_SECONDS, follow_redirects=False) as client,
                client.stream(method, url, data=form) as answer,
            ):
                for part in answer.iter_bytes():
                    data += part
                    if len(data) > MAX_BYTES:
                        raise LoginError("the identity provider sent too much", "provider")
                status = answer.status_code
        except httpx2.HTTPError as error:
            kind = type(error).__name__
            raise LoginError(
                f"the identity provider was not reached ({kind})", "provider"
            ) from None
        if status != 200:
            raise LoginError(f"the identity provider answered {status}", "provider")
        try:
            document = loads(data.decode())
        except (UnicodeDecodeError, ValueError):
            document = None
        if not isinstance(document, dict):
            raise LoginError("the identity provider did not answer with a JSON object", "provider")
        return document


def checked_url(url: str, what: str) -> str:
    """An address that is reached over TLS; plain HTTP only on this machine."""
    parts = urlsplit(url)
    is_own = parts.scheme == "http" and is_loopback(parts.hostname or "")
    if (parts.scheme != "https" and not is_own) or not parts.hostname or parts.username:
        raise UsageError(f"{what} is {url!r}; expected an address with https://")
    return url
