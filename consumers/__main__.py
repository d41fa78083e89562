"""`python -m consumers …`: the command line of the pipeline."""

from consumers.cli import app

if __name__ == "__main__":
    app(prog_name="python -m consumers")
