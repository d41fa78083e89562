"""What the wire saw of one call, noted where it happens and read when the call is classified.

Owns: the one note per call, carried in a context variable (the SDK runs a request's POST in its caller's context).
Invariants: `abandon()` before the first byte makes the call provably unsent: the gate then refuses to write it. Facts
come from our own transport, never from an answer's body, so a server cannot claim that its call was not sent.
"""

from contextvars import ContextVar
from dataclasses import dataclass


class Unsent(Exception):
    """The gate refused to write a call that its caller no longer waits for."""


@dataclass(slots=True)
class Exchange:
    """Facts of one call, filled in by the transport."""

    sending: bool = False
    """The first byte has been, or is being, handed to the operating system (HTTP) or the child's pipe (stdio)."""
    unsent: bool = False
    """Proved: nothing was written, and the gate lets nothing through any more."""
    failure: str | None = None
    """The transport error's class name, when the exchange broke."""
    too_large: bool = False
    status: int | None = None
    """HTTP status of the answer."""
    retry_after_s: float | None = None
    content_type: str = ""

    def start_sending(self) -> None:
        """The gate, passed right before the first byte. Raises: Unsent."""
        if self.unsent:
            raise Unsent
        self.sending = True

    def abandon(self) -> bool:
        """Give the call up; True: it was not sent, and never will be."""
        if not self.sending:
            self.unsent = True
        return self.unsent


current_exchange: ContextVar[Exchange | None] = ContextVar("current_exchange", default=None)
