"""One local Kafka for all the workers of one pytest session, started by the first that needs it.

Owns: .pipeline/test-kafka/<pid of the session>, with its own free port pair and its own data, so that tests run beside
a `dev` and beside another session. The last worker to leave stops it; should all of them be killed, its guard does.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from consumers.local_kafka import LocalKafkaError, LocalKafkaSettings, start, status, stop
from consumers.local_kafka.ports import free_pair
from consumers.local_kafka.process import locked
from consumers.local_kafka.settings import PROJECT

HOME = PROJECT / ".pipeline" / "test-kafka"


@contextlib.contextmanager
def shared_kafka() -> Iterator[str]:
    """Bootstrap servers; KAFKA_BOOTSTRAP_SERVERS when it is set, and then nothing is started."""
    if external := os.environ.get("KAFKA_BOOTSTRAP_SERVERS"):
        yield external
        return
    session = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
    folder = HOME / str(session)
    user = folder / "users" / str(os.getpid())
    with locked(HOME / ".lock", timeout_s=110):
        _sweep()
        user.parent.mkdir(parents=True, exist_ok=True)
        settings = _started(folder, session)
        user.touch()
    try:
        yield settings.bootstrap
    finally:
        with locked(HOME / ".lock", timeout_s=110):
            user.unlink()
            if not any(user.parent.iterdir()):
                stop(settings)
                shutil.rmtree(folder)


def own_settings(folder: Path, **changes: object) -> LocalKafkaSettings:
    """Of a node nobody else uses, not started: its files in `folder`, on ports that were free a moment ago."""
    port, controller_port = free_pair()
    given: dict[str, object] = {"port": port, "controller_port": controller_port, "home": folder, "name": "test"}
    return LocalKafkaSettings(**{"bootstrap_servers": None, **given, **changes})  # type: ignore[arg-type]


def _started(folder: Path, session: int) -> LocalKafkaSettings:
    ports = folder / "ports.json"
    if ports.exists():
        settings = own_settings(folder, **json.loads(ports.read_text()))
        if status(settings).ready:
            return settings
    for attempt in range(5):
        settings = own_settings(folder)
        try:
            start(settings, bound_to=session)
        except LocalKafkaError as error:
            if "is taken" not in str(error) or attempt == 4:  # somebody took the port between the look and its use
                raise
        else:
            ports.write_text(json.dumps({"port": settings.port, "controller_port": settings.controller_port}))
            return settings
    raise AssertionError("unreachable")


def _sweep() -> None:
    """Folders of sessions that were killed; their nodes ended with them."""
    for folder in HOME.iterdir():
        if folder.is_dir() and not _alive(int(folder.name)):
            shutil.rmtree(folder, ignore_errors=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
