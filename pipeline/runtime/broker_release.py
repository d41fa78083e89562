"""Which release of Apache Kafka a broker is, as far as the protocol tells: by the newest metadata.version it supports.

Owns: one ApiVersions request of version 3, asked plainly: aiokafka stops at version 2, which carries no features.
Never: guesses. An encrypted listener, an old broker or an unknown level is None. Source: KIP-482, KIP-584; MetadataVersion.java.
"""

import asyncio
import struct

API_VERSIONS, VERSION, CORRELATION = 18, 3, 1
SUPPORTED_FEATURES = 0
METADATA_VERSION = "metadata.version"
TIMEOUT_S = 3.0
SOFTWARE = b"consumers"
RELEASES = ((22, 25, "4.0"), (26, 27, "4.1"), (28, 29, "4.2"), (30, 30, "4.3"), (31, 33, "4.4"))
"""First level, last level, release."""


async def broker_release(bootstrap: str) -> str | None:
    """Release such as "4.2" of the first broker that answers without encryption; None when it can't be told."""
    for server in bootstrap.split(","):
        host, _, port = server.strip().rpartition(":")
        try:
            async with asyncio.timeout(TIMEOUT_S):
                level = metadata_level(await _ask(host.strip("[]"), int(port)))
        except (OSError, TimeoutError, ValueError, IndexError, struct.error, asyncio.IncompleteReadError):
            continue
        return release_of(level)
    return None


def release_of(level: int | None) -> str | None:
    """The release whose newest metadata.version this is."""
    return next((name for first, last, name in RELEASES if level is not None and first <= level <= last), None)


async def _ask(host: str, port: int) -> bytes:
    reader, writer = await asyncio.open_connection(host, port)
    try:
        request = (
            struct.pack(">hhih", API_VERSIONS, VERSION, CORRELATION, len(SOFTWARE))
            + SOFTWARE
            + b"\0"
            + bytes([len(SOFTWARE) + 1])
            + SOFTWARE
            + b"\x021\0"
        )
        writer.write(struct.pack(">i", len(request)) + request)
        (size,) = struct.unpack(">i", await reader.readexactly(4))
        return await reader.readexactly(min(size, 1_000_000))
    finally:
        writer.close()


class _Reader:
    """Reads the flexible encoding of KIP-482."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, size: int) -> bytes:
        """Raises: ValueError past the end."""
        if size < 0 or self._at + size > len(self._data):
            raise ValueError(size)
        self._at += size
        return self._data[self._at - size : self._at]

    def varint(self) -> int:
        value = shift = 0
        while True:
            (byte,) = self.take(1)
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value

    def skip_tags(self) -> None:
        for _ in range(self.varint()):
            self.varint()
            self.take(self.varint())


def metadata_level(answer: bytes) -> int | None:
    """Highest metadata.version of an ApiVersions answer, version 3. Raises: ValueError when it is none."""
    reader = _Reader(answer)
    correlation, error = struct.unpack(">ih", reader.take(6))
    if correlation != CORRELATION or error:
        msg = f"no answer to this request (correlation {correlation}, error {error})"
        raise ValueError(msg)
    for _ in range(reader.varint() - 1):
        reader.take(6)  # API, lowest and highest version
        reader.skip_tags()
    reader.take(4)  # throttle time
    for _ in range(reader.varint()):
        tag, field = reader.varint(), _Reader(reader.take(reader.varint()))
        if tag != SUPPORTED_FEATURES:
            continue
        for _ in range(field.varint() - 1):
            name = field.take(field.varint() - 1).decode()
            _, highest = struct.unpack(">hh", field.take(4))
            field.skip_tags()
            if name == METADATA_VERSION:
                return int(highest)
    return None
