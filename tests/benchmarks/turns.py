"""How long a customer waits: `python -m tests.benchmarks.turns [--customers N] [--at-once K]`.

Real processes on a real broker: one process with all five stages, the demo server, K customers at once who each ask for a
cancellation and say yes. Prints percentiles of message → question and yes → answer in milliseconds, messages a second, and the
memory of the stage process. Compare by ratio within one run: machines are shared and noisy.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path

import psutil

from tests.integration.processes import Pipeline, pipeline
from tests.integration.shared_kafka import shared_kafka


def percentiles(seconds: list[float]) -> str:
    """p50, p90 and p99 in milliseconds."""
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    return "  ".join(f"p{p} {cuts[p - 1] * 1000:7.1f}" for p in (50, 90, 99))


async def one(place: Pipeline, name: str, question: list[float], answer: list[float]) -> None:
    """A customer: one request, one yes."""
    async with place.customer(name, agent="retail_orders") as talk:
        started = time.perf_counter()
        await talk.say("quero cancelar os pedidos P-100, P-101 e P-102")
        asked = time.perf_counter()
        await talk.say("sim")
        question.append(asked - started)
        answer.append(time.perf_counter() - asked)


async def measure(bootstrap: str, customers: int, at_once: int) -> None:
    """Run it and print."""
    with tempfile.TemporaryDirectory() as folder:
        async with pipeline(bootstrap, Path(folder)) as place:
            await one(place, "warm", [], [])
            question: list[float] = []
            answer: list[float] = []
            gate = asyncio.Semaphore(at_once)

            async def bounded(number: int) -> None:
                async with gate:
                    await one(place, f"c{number}", question, answer)

            started = time.perf_counter()
            await asyncio.gather(*(bounded(number) for number in range(customers)))
            elapsed = time.perf_counter() - started
            stages = next(process for process in place.processes if process.name.startswith("run-"))
            rss = psutil.Process(stages.popen.pid).memory_info().rss / 1e6
    print(
        f"{customers} customers, {at_once} at once: {2 * customers / elapsed:.1f} messages/s, stage process {rss:.0f} MB"
    )
    print(f"message → question ms  {percentiles(question)}")
    print(f"yes → answer ms        {percentiles(answer)}")


def main() -> None:
    """Parse and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--customers", type=int, default=40)
    parser.add_argument("--at-once", type=int, default=1)
    chosen = parser.parse_args()
    with shared_kafka() as bootstrap:
        asyncio.run(measure(bootstrap, chosen.customers, chosen.at_once))


if __name__ == "__main__":
    main()
