"""Scripts of `chat --script`: what a customer says, a line a message, and what a test needs besides. Pure.

# a comment
quero cancelar TIM Fashion e Neymar Jr     said, and the answer awaited
@say #3                                    the same for a text that begins with # or @
@nowait sim                                said without waiting for the answer
@duplicate                                 the previous message once more, with the same id
@wait 3500                                 let 3500 ms of real time pass (an expiry)
@session maria                             from here on another customer speaks, in a session of her own
@button sim                                said by the button of the latest question: its token goes along
@interrupted sim                           a voice turn that broke off
"""

from dataclasses import dataclass

from consumers.cli.terminal import WRONG, CommandError

WAIT_MAX_MS = 600_000


@dataclass(frozen=True, slots=True)
class Say:
    """A message."""

    text: str
    wait: bool = True
    button: bool = False
    interrupted: bool = False


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The previous message again."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Real time passes."""

    ms: int


@dataclass(frozen=True, slots=True)
class Speaker:
    """Another customer speaks from here on."""

    name: str


Step = Say | Duplicate | Wait | Speaker

DIRECTIVES = "@say TEXT, @nowait TEXT, @button TEXT, @interrupted TEXT, @duplicate, @wait MS, @session NAME"


def parse(text: str, *, name: str = "script") -> list[Step]:
    """Read a script. Raises: CommandError naming the line."""
    steps: list[Step] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if line and not line.startswith("#"):
            steps.append(_directive(line, f"{name}, line {number}") if line.startswith("@") else Say(line))
    return steps


def _directive(line: str, at: str) -> Step:
    word, _, rest = line.partition(" ")
    rest = rest.strip()
    match word:
        case "@duplicate" if not rest:
            return Duplicate()
        case "@wait" if rest.isascii() and rest.isdigit() and int(rest) <= WAIT_MAX_MS:
            return Wait(int(rest))
        case "@wait":
            raise CommandError(f"{at}: @wait takes milliseconds up to {WAIT_MAX_MS}, not {rest!r}.", code=WRONG)
        case "@session" if rest and " " not in rest:
            return Speaker(rest)
        case "@say" | "@nowait" | "@button" | "@interrupted" if rest:
            return Say(rest, wait=word != "@nowait", button=word == "@button", interrupted=word == "@interrupted")
    raise CommandError(f"{at}: {line!r} is no directive: {DIRECTIVES}.", code=WRONG)
