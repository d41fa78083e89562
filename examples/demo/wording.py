"""The demo validator's own texts, in three languages. The pipeline shows them as they come."""

from collections.abc import Sequence
from typing import Final

_TEXTS: Final = {
    "pt": {
        "confirm": "Você confirma o cancelamento de {items}?",
        "none_one": "Não encontrei esse produto entre os seus.",
        "none": "Não encontrei nenhum desses produtos entre os seus.",
        "which": "Mais de um produto seu combina com “{name}”: {items}. Quais deseja cancelar?",
        "unclear": "Não encontrei o que você quer manter. Quais produtos deseja cancelar?",
        "and": "e",
    },
    "en": {
        "confirm": "Do you confirm the cancellation of {items}?",
        "none_one": "I did not find that product among yours.",
        "none": "I did not find any of those products among yours.",
        "which": "More than one of your products matches “{name}”: {items}. Which ones would you like to cancel?",
        "unclear": "I did not find what you want to keep. Which products would you like to cancel?",
        "and": "and",
    },
    "es": {
        "confirm": "¿Confirma la cancelación de {items}?",
        "none_one": "No encontré ese producto entre los suyos.",
        "none": "No encontré ninguno de esos productos entre los suyos.",
        "which": "Más de un producto suyo coincide con “{name}”: {items}. ¿Cuáles desea cancelar?",
        "unclear": "No encontré lo que desea conservar. ¿Qué productos desea cancelar?",
        "and": "y",
    },
}


def say(text: str, locale: str | None, items: Sequence[str] = (), *, name: str = "") -> str:
    """A text in the customer's language; Portuguese when it is not one of ours."""
    texts = _TEXTS.get((locale or "pt").split("-", maxsplit=1)[0].lower(), _TEXTS["pt"])
    return texts[text].format(items=joined(items, texts["and"]), name=name)


def joined(items: Sequence[str], conjunction: str) -> str:
    """A, B e C."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {conjunction} {items[-1]}"
