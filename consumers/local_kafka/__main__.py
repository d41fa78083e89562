"""`python -m consumers.local_kafka …`: the same commands without the rest of the command line; `make` prepares with it."""

from consumers.local_kafka.commands import app

app(prog_name="python -m consumers.local_kafka")
