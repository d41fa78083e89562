"""`python -m consumers.chaos`: the command alone, for tests and CI."""

import typer

from consumers.chaos.command import chaos

if __name__ == "__main__":
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command("chaos", epilog="Example: python -m consumers.chaos --minutes 1.5 --seed 1")(chaos)
    app(prog_name="python -m consumers.chaos")
