"""Nothing leaves this machine: what tests and the product may connect to is loopback."""

import ipaddress
import sys

_CONNECTING = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
_ASKING = frozenset({"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"})
_LOCAL_NAMES = frozenset({"localhost", "", None})


class EgressError(BaseException):
    """Something tried to reach another machine; no `except Exception` hides it."""


def is_local(host: object) -> bool:
    """Whether a host is this machine, without asking anybody."""
    name = host.decode() if isinstance(host, bytes) else host
    if name in _LOCAL_NAMES:
        return True
    try:
        return ipaddress.ip_address(str(name).partition("%")[0]).is_loopback
    except ValueError:
        return False


def refuse(event: str, args: tuple) -> None:
    """The audit hook: raises when another machine is looked up or contacted."""
    if event in _CONNECTING:
        address = args[1]
        if isinstance(address, tuple) and not is_local(address[0]):
            raise EgressError(f"{event} {address!r}")
    elif event in _ASKING and not is_local(args[0]):
        raise EgressError(f"{event} {args[0]!r}")


def watch() -> None:
    """Refuse it for the rest of this process."""
    sys.addaudithook(refuse)
