"""`python -m consumers.chaos.replica run …`: the ordinary command in a process that ends with its starter.

Owns: what differs from `python -m consumers`: the pipeline's own log lines are not thinned out (takeovers are measured by them), and
with PIPELINE_MUTANT a deliberate bug is switched on. Never: changes anything else.
"""

import ctypes
import logging
import os
import signal
import sys
import threading

PR_SET_PDEATHSIG = 1
MUTANT = "PIPELINE_MUTANT"


def end_with_starter() -> None:
    """Die when the starter dies, even while stopped (Linux); elsewhere when our stdin closes."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=_end_with_stdin, daemon=True).start()


def _end_with_stdin() -> None:
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGKILL)


def keep_our_lines() -> None:
    """Let every line of the pipeline itself through."""
    from consumers.logs import RateLimit

    thinned = RateLimit.filter

    def unthinned(self: RateLimit, record: logging.LogRecord) -> bool:
        return record.name.startswith("pipeline") or thinned(self, record)

    RateLimit.filter = unthinned  # type: ignore[method-assign]


def main() -> None:
    """Run the command line."""
    end_with_starter()
    keep_our_lines()
    if mutant := os.environ.get(MUTANT):
        from consumers.chaos.mutants import install

        install(mutant)
    from consumers.cli import app

    app(prog_name="python -m consumers")


if __name__ == "__main__":
    main()
