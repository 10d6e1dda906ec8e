"""Nothing leaves this machine: what tests and the product may connect to is loopback."""

import ipaddress
import sys

_CONNECTING = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
_ASKING = frozenset({"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"})
_LOCAL_NAMES = frozenset({"localhost", "", None})


class EgressError(BaseException):
    """Something tried to reach another machine; no `except Exception` hides it."""


def _address(host: object) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The number of a host; None for a name."""
    try:
        return ipaddress.ip_address(str(host).partition("%")[0])
    except ValueError:
        return None


def is_asked_for(host: object) -> bool:
    """Whether a look-up would ask another machine: it does for every name but our own."""
    name = host.decode() if isinstance(host, bytes) else host
    is_name = _address(name) is None and " " not in str(name)
    return name not in _LOCAL_NAMES and is_name


def is_local(host: object) -> bool:
    """Whether a connection stays on this machine."""
    number = _address(host)
    return host in _LOCAL_NAMES or bool(number and (number.is_loopback or number.is_unspecified))


def refuse(event: str, args: tuple) -> None:
    """The audit hook: raises when another machine is looked up or contacted."""
    if event in _CONNECTING:
        address = args[1]
        if isinstance(address, tuple) and not is_local(address[0]):
            raise EgressError(f"{event} {address!r}")
    elif event in _ASKING and is_asked_for(args[0]):
        raise EgressError(f"{event} {args[0]!r}")


def watch() -> None:
    """Refuse it for the rest of this process."""
    sys.addaudithook(refuse)
