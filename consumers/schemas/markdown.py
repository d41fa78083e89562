"""The few pieces of GitHub's Markdown that the page is made of; each yields its lines and an empty one."""

from collections.abc import Iterable, Iterator, Sequence


def heading(level: int, text: str) -> Iterator[str]:
    """A heading; the first level is the page's title."""
    yield f"{'#' * level} {text}"
    yield ""


def paragraph(text: str) -> Iterator[str]:
    """A paragraph, on one line however long."""
    yield text
    yield ""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table; a cell is kept on its line and may hold `|`."""
    yield _row(head)
    yield f"|{'---|' * len(head)}"
    for cells in rows:
        yield _row(cells)
    yield ""


def details(summary: str, lines: Iterable[str], *, unfolded: bool = False) -> Iterator[str]:
    """Lines behind a summary, to be unfolded by the reader."""
    yield f"<details{' open' if unfolded else ''}><summary>{summary}</summary>"
    yield ""
    yield from lines
    yield "</details>"
    yield ""


def fenced(language: str, text: str) -> Iterator[str]:
    """Code, or a diagram."""
    yield f"```{language}"
    yield text
    yield "```"
    yield ""


def anchor(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    return "".join(letter for letter in heading.lower().replace(" ", "-") if letter.isalnum() or letter in "-_")


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(' '.join(cell.splitlines()).replace('|', chr(92) + '|') for cell in cells)} |"
