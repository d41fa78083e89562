"""Apache Kafka's jars: fetched from Maven by jgo, each one checked against the checksums this package carries.

Owns: the folder of verified jars; the version of Kafka.
Invariants: a JVM only ever gets the jars of jars.sha256, byte for byte; checked at every start (0.1 s).
Never: resolves Kafka and its logging binding together: the binding's BOM would bring older kafka-clients.
Source: jgo's own lock file holds the checksums of whatever was downloaded and is never looked at again, so it can tell
neither a corrupt download nor a missing jar. Ours was made once and travels with the code; `sha256sum -c` reads it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath

from consumers.local_kafka.errors import LocalKafkaError

KAFKA_VERSION = "4.2.2"
"""4.3.0 to 4.4.0 lose transaction markers after an unclean stop (KAFKA-20734): stay here until a release has the fix."""
_KAFKA = f"org.apache.kafka:kafka_2.13:{KAFKA_VERSION}"
_LOGGING = "org.apache.logging.log4j:log4j-slf4j-impl:2.25.5"  # slf4j 1.7; without a binding Kafka dies silently
CHECKSUMS = Path(__file__).with_name("jars.sha256")

_WAY_OUT = "or set KAFKA_BOOTSTRAP_SERVERS to use a cluster that you have"


def expected() -> dict[PurePosixPath, str]:
    """Path inside a Maven repository to SHA-256."""
    lines = CHECKSUMS.read_text(encoding="ascii").splitlines()
    return {PurePosixPath(path): digest for digest, path in (line.split() for line in lines)}


def unverified(lib: Path, wanted: Mapping[PurePosixPath, str]) -> dict[str, str]:
    """Names of jars in the flat folder `lib` that cannot be used, each with the reason."""
    bad: dict[str, str] = {}
    for path, digest in wanted.items():
        jar = lib / path.name
        if not jar.exists():
            bad[path.name] = "missing"
        elif _sha256(jar) != digest:
            bad[path.name] = "its checksum differs"
    return bad


def ensure_jars(cache: Path, progress: Callable[[str], None]) -> tuple[Path, ...]:
    """The verified class path, in a fixed order; fetches what is missing or damaged.

    Raises:
        LocalKafkaError: Maven cannot be reached, or what it gave has another checksum.

    """
    lib, wanted = cache / f"kafka-{KAFKA_VERSION}", expected()
    if unverified(lib, wanted):
        progress(f"fetching Apache Kafka {KAFKA_VERSION} from Maven (48 MB, once)")
        lib.mkdir(parents=True, exist_ok=True)
        _fetch(cache / "jgo", lib, wanted)
        if bad := unverified(lib, wanted):
            name, reason = next(iter(bad.items()))
            raise LocalKafkaError(
                f"Apache Kafka {KAFKA_VERSION} as fetched from Maven cannot be trusted ({name}: {reason}; {len(bad)} of "
                f"{len(wanted)} jars): check what your Maven repository serves, {_WAY_OUT}."
            )
    return tuple(lib / name for name in sorted(path.name for path in wanted))


def _fetch(work: Path, lib: Path, wanted: Mapping[PurePosixPath, str]) -> None:
    try:
        import jgo
        from jgo.config import GlobalSettings
    except ImportError:
        raise LocalKafkaError(f"The local Kafka needs jgo to be fetched: run `make setup`, {_WAY_OUT}.") from None
    shutil.rmtree(work, ignore_errors=True)
    try:
        _discard_damaged(Path(GlobalSettings.load().repo_cache), wanted)
        names = {path.name for path in wanted}
        for endpoint in (_KAFKA, _LOGGING):
            for jar in map(Path, jgo.build(endpoint, cache_dir=work).all_jars):
                if jar.name in names:
                    _place(jar.resolve(), lib / jar.name)
    except Exception as failure:  # whatever requests, jgo's parser or the file system raised
        raise LocalKafkaError(
            f"Apache Kafka {KAFKA_VERSION} could not be fetched from Maven ({type(failure).__name__}: "
            f"{' '.join(str(failure).split())[:160]}): connect and try again, {_WAY_OUT}."
        ) from failure
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _discard_damaged(repository: Path, wanted: Mapping[PurePosixPath, str]) -> None:
    """Out of the way: jgo takes any file in Maven's local repository as it is; a damaged one would come back for ever."""
    for path, digest in wanted.items():
        copy = repository / path
        if copy.exists() and _sha256(copy) != digest:
            copy.unlink()


def _place(jar: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    try:
        os.link(jar, target)
    except OSError:  # another file system
        shutil.copy2(jar, target)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
