"""Words by which a text says that something was done, was not done, or is still to be done.

Invariants: folded; beginnings of words unless said otherwise. Source: the composed answers of DESIGN 7 (Normalize).
"""

from typing import Final

from pipeline.language.lexemes import word_set

NEGATORS: Final = {
    "pt": word_set(
        "nao nem nunca jamais sem nenhum nenhuma nada tampouco not never none without nothing cannot sin ninguno"
    ),
    "en": word_set("not no nor never none without nothing cannot nao sem"),
    "es": word_set("no ni nunca jamas sin ningun ninguno ninguna nada tampoco not never nao sem"),
}
"""Whole words. In Portuguese "no" is "em o"."""
DONE_WORDS: Final = {
    "pt": word_set("certo ok possivel pode pude pronto pronta prontos prontas"),
    "en": word_set("ok okay possible able managed done"),
    "es": word_set("ok posible pudo pudimos pudieron listo listos"),
}
"""Whole words that say it went well, or with a negation that it did not."""
DONE_STEMS: Final = tuple(
    word_set(
        "sucess success exito conclu complet feit hech realiz efetu efectu execut ejecut confirm resolv resuelt solv aprov "
        "approv aceit accept acept consegu logr finaliz remov efetiv"
    )
)
FAILED_STEMS: Final = tuple(
    word_set(
        "falh fallo fallid fallar fail erro error problem recus reject rejeit rechaz refus negad denied deneg impossiv "
        "imposib impossib unable indispon unavail unfortunat infeliz lament lastim desafortun fracass imped unsuccess "
        "incomplet inconclu wrong deixou deixar deixaram dejo dejar"
    )
)
OPEN_WORDS: Final = {
    "pt": word_set("sera serao vai vao vamos breve andamento aguarde will"),
    "en": word_set("will soon shall going ongoing"),
    "es": word_set("sera seran va van vamos pronto curso espere will"),
}
"""Whole words that put it off."""
OPEN_STEMS: Final = tuple(word_set("pendent pending pendient aguard process proces analis tentar try"))
ALL_WORDS: Final = word_set(
    "todos todas tudo todo toda ambos ambas all everything every both nenhum nenhuma nada none nothing ninguno ninguna"
)
"""Whole words that speak of the whole set."""
BREAKS: Final = word_set(
    "mas porem contudo entretanto todavia enquanto but however although while pero mientras aunque embargo embora"
)
"""Whole words that turn to something else."""
JOINTS: Final = word_set("e y and ou o_ or porque pois because que")
"""Whole words after which a negation no longer reaches."""
DONE_SIGNS: Final = frozenset("✅✔☑🎉👍")
FAILED_SIGNS: Final = frozenset("❌✖✗✘🚫⚠")
MARKERS: Final = {
    "pt": word_set(
        "nao foi foram com os uma do da dos das voce seu sua seus suas ja pelo pela ao em e concluido concluida"
    ),
    "en": word_set("the was were not your with and of has have been is are you could for it done"),
    "es": word_set("fue fueron con los el las su sus usted ya y del se ha han pudo listo una"),
}
"""Whole words that tell one of the three languages from the others."""
NEUTRAL_NAMES: Final = word_set("protocolo protocol protocols protocolos i ok whatsapp")
"""Words that may be written with a capital in the middle of a sentence."""
