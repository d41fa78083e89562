"""`contracts export` and `contracts asyncapi`: what is published, on the command line."""

import json
from os.path import relpath
from pathlib import Path
from typing import Annotated

import typer

from consumers.cli.options import CONFIG, Config, configuration
from consumers.cli.terminal import FAILED, errors_in_one_sentence, fail, say

To = Annotated[Path | None, typer.Option("--to", metavar="DIR", help="Folder to write to, instead of docs/contracts.")]
Check = Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 when a file is not as the code makes it.")]
Generic = Annotated[
    bool, typer.Option("--generic", help="Of any installation, as in docs/contracts; no configuration is read.")
]


def export(to: To = None, check: Check = False) -> None:
    """Write JSON Schemas, examples, the AsyncAPI document and a page in two languages; the same code gives the same files."""
    from consumers.schemas import files

    folder = Path(relpath(files.HOME)) if to is None else to
    if check:
        _checked(folder, files.differences(folder), "" if to is None else f" --to {to}")
        return
    try:
        changed = files.export(folder)
    except OSError as error:
        fail(f"{folder} can't be written: {error.strerror or error}.", FAILED)
    for name in changed:
        say(str(folder / name))
    for text in files.untranslated():
        say(f"not yet in consumers/schemas/texts.pt-BR.json: {text}")
    say(f"{len(changed)} files of {folder} changed." if changed else f"{folder} was as the code makes it.")


def _checked(folder: Path, different: list[str], option: str) -> None:
    for one in different:
        say(one)
    if different:
        files = f"{len(different)} files are not as the code makes them"
        fail(f"{files}: run `python -m consumers contracts export{option}` and commit what it writes.", FAILED)
    say(f"{folder} is as the code makes it.")


def asyncapi(config: Config = CONFIG, generic: Generic = False) -> None:
    """Print the AsyncAPI 3.0 document of this installation: its topics, groups and partitions under their own names."""
    from consumers.schemas.asyncapi import document
    from consumers.schemas.files import version

    if generic:
        made = document(version=version())
    else:
        with errors_in_one_sentence():
            loaded = configuration(config)
        made = document(version=version(), settings=loaded.settings, channels=tuple(loaded.installation.channels))
    print(json.dumps(made, indent=2, ensure_ascii=False))
