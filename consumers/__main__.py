"""`python -m consumers …`: the command line of the pipeline."""

import sys

try:
    from consumers.cli import app
except ModuleNotFoundError as error:
    sys.exit(
        f"{sys.executable} has no package {error.name!r}: run `make setup` once, then `.venv/bin/python -m consumers`, "
        "or `. .venv/bin/activate` first."
    )

if __name__ == "__main__":
    app(prog_name="python -m consumers")
