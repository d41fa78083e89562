"""`python -m consumers.chaos`: the command alone, for tests and CI."""

import typer

from consumers.chaos.command import chaos

if __name__ == "__main__":
    typer.run(chaos)
