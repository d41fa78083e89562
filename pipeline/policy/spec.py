"""What configuration files are made of: objects that know all their keys, and texts by locale.

Never: reads a file (pipeline/behaviour_files does, and names file and key of what is refused here).
"""

from pydantic import BaseModel, ConfigDict

Localized = str | dict[str, str]
"""One text for every locale, or texts by locale."""

DEFAULT_LOCALE = "pt-BR"


def localized(text: Localized | None, locale: str) -> str | None:
    """The text for a locale, else of its language, else pt-BR, else any."""
    if text is None or isinstance(text, str):
        return text
    language = locale.split("-", maxsplit=1)[0]
    for key in (locale, language, DEFAULT_LOCALE):
        if key in text:
            return text[key]
    same_language = [value for key, value in text.items() if key.split("-", maxsplit=1)[0] == language]
    candidates = [*same_language, *text.values()]
    return candidates[0] if candidates else None


class Spec(BaseModel):
    """Base of what configuration files hold: unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
