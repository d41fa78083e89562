"""How a conversation looks in a terminal: the customer on the right, the answers on the left, every item with its fate."""

from rich import box
from rich.align import Align
from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from contracts.channel_response import ChannelResponse
from contracts.status import ItemOutcome

WIDTH = 72
COLOURS = {ItemOutcome.SUCCEEDED: "green", ItemOutcome.FAILED: "red", ItemOutcome.UNKNOWN: "yellow"}


def customer(text: str, name: str = "") -> RenderableType:
    """What the customer said."""
    panel = Panel(Text(text), box=box.ROUNDED, border_style="cyan", title=name or None, expand=False, width=None)
    return Align.right(panel)


def agent(response: ChannelResponse, *, markdown: bool) -> RenderableType:
    """What the customer reads."""
    body: RenderableType = Markdown(response.text) if markdown else Text(response.text)
    return Panel(
        body,
        box=box.ROUNDED,
        border_style="green",
        title=response.metadata.agent_id,
        title_align="left",
        width=WIDTH,
    )


def items(response: ChannelResponse) -> RenderableType:
    """The item table of a result."""
    metadata = response.metadata
    counts = metadata.multi_item
    status = (metadata.multi_item_status or metadata.status or "").strip()
    title = f"{status}: {counts.items_succeeded_count} of {counts.items_count}" if counts else status
    table = Table(title=title, title_style="bold", box=box.SIMPLE_HEAD)
    for column in ("item", "outcome", "protocol", "reason"):
        table.add_column(column)
    for item in metadata.items:
        outcome = Text(item.outcome.value, style=COLOURS[item.outcome])
        table.add_row(Text(item.subject), outcome, item.protocol or "", item.reason or "")
    return table


def show(console: Console, bubble: RenderableType) -> None:
    """Print, with the folding that bubbles need."""
    console.print(bubble, soft_wrap=False)
