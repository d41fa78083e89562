"""Every relative link of the documents leads to a file, and every anchor to a heading of it."""

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])
LINK = re.compile(r"\[[^\]\n]*\]\((?P<to>[^)\s]+)\)|href=\"(?P<href>[^\"]+)\"")
CODE = re.compile(r"^```.*?^```|``.+?``|`[^`\n]+`", re.MULTILINE | re.DOTALL)
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#{1,6} +(?P<title>.+?) *#*$", re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Anchors as GitHub makes them of headings, and those that a page declares itself."""
    text = page.read_text("utf-8")
    titles = [match["title"] for match in HEADING.finditer(FENCED.sub("", text))]
    seen: Counter[str] = Counter()
    found = set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))
    for title in titles:
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return found


def broken(page: Path, root: Path = ROOT) -> list[str]:
    """Links of a page that lead nowhere, or out of the repository."""
    faults = []
    for match in LINK.finditer(CODE.sub(blank, page.read_text("utf-8"))):
        target = match["to"] or match["href"]
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        leads = file.exists() and root in file.parents
        if not leads or (anchor and file.suffix == ".md" and anchor not in anchors(file)):
            faults.append(target)
    return faults


def blank(code: re.Match[str]) -> str:
    """Code without what looks like a link in it; a name in code may be the text of a link."""
    return re.sub(r"[\[\]()]", " ", code[0])


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_every_relative_link_of_a_page_leads_somewhere(page: Path) -> None:
    assert broken(page) == []


def test_a_link_to_no_file_and_to_no_heading_is_found(tmp_path: Path) -> None:
    assert broken_in(tmp_path, "[a](missing.md) [b](#not-there) [c](#a-title) [`d`](gone.py)") == [
        "missing.md",
        "#not-there",
        "gone.py",
    ]


def broken_in(folder: Path, text: str) -> list[str]:
    page = folder / "page.md"
    page.write_text(f"# A title\n\n{text}\n", "utf-8")
    return broken(page, folder)
