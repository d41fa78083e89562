"""The command line: one module a group of commands, mounted here.

Invariants: every command has an example in its help, says its exit codes, and fails in sentences with the way out. Nothing heavy is
imported before a command needs it, so that help comes at once.
"""

import typer

from consumers.chaos.command import chaos
from consumers.cli import (
    certify,
    chat,
    config,
    contracts,
    demo,
    dev,
    evaluate,
    explain,
    run,
    send,
    showcase,
    tail,
    topics,
    trace,
)
from consumers.local_kafka.commands import app as kafka
from consumers.simulate import simulate

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="One customer sentence about many items: one confirmed call, one answer that tells the fate of each item.",
    epilog="Example: python -m consumers dev, and in another terminal: python -m consumers chat",
)

app.command("run", epilog="Example: python -m consumers run reconcile confirm --replica shop-1")(run.command)
app.command("dev", epilog="Example: python -m consumers dev")(dev.command)
app.command("run-demo", epilog="Example: python -m consumers run-demo (make run)")(showcase.command)
app.command("chat", epilog="Example: python -m consumers chat --agent retail_orders --script orders.txt --json")(
    chat.command
)
app.command("demo", epilog="Example: python -m consumers demo --port 8765")(demo.command)
app.command(
    "certify",
    epilog="Example: python -m consumers certify contas cancelar_produtos --scenarios examples/demo/certification.yaml --sandbox",
)(certify.command)
app.command("send", epilog="Example: python -m consumers send requests.jsonl")(send.command)
app.command("tail", epilog="Example: python -m consumers tail events.ic --from-beginning --exit-at-end")(tail.command)
app.command("trace", epilog="Example: python -m consumers trace default:retail_orders:chat-1a2b3c4d")(trace.command)
app.command(
    "explain", epilog='Example: python -m consumers explain "sim, mas tira o Neymar" --items "TIM Fashion,Neymar Jr"'
)(explain.command)
app.command(
    "evaluate", epilog="Example: python -m consumers evaluate --from 1h --html evaluation.html --json evaluation.json"
)(evaluate.command)
app.add_typer(topics.app)
app.add_typer(config.app)
app.add_typer(contracts.app)
app.add_typer(kafka)
app.command("chaos", epilog="Example: python -m consumers chaos --minutes 2 --seed 7")(chaos)
app.command("simulate", epilog="Example: python -m consumers simulate --seeds 200 --seed 7")(simulate)
