"""Verbs of request in all their forms, known by stem and ending: cancela, cancelem, cancelar, cancele-me.

Owns: the stems and endings of the three languages; one slip in a common one.
Never: says which operation a verb belongs to (operations.py does).
"""

from functools import lru_cache

from rapidfuzz.distance import OSA

from pipeline.language.word_lists import listed

__all__ = ["is_ending", "mistyped_verb", "verb_stem"]

_STEM_SET = listed("""
    cancel anul suspend encerr deslig desativ interromp descancel revog rescind
    contrat assin compr adquir ativ habilit inclu adicion acrescent
    devolv troc substitu reembols estorn ressarc contest disput question reclam
    consult verific mostr list detalh busc pesquis rastre acompanh localiz cheq confer confir vej visualiz
    bloque desbloque liber trav destrav
    renov prorrog estend adi antecip reagend remarc agend marc desmarc
    paga pag parcel quit negoci transf transfer transfir envi mand emit gera ger imprim solicit pe ped
    alter mud atualiz corrig modific edit
    remov retir tir exclu apag elimin delet desvincul desinscrev desassin descadastr cort
    reserv inscrev cadastr registr valid aprov
    lig relig instal reinstal test reinici
    paus separ tranc destranc matricul
    resgat aplic invest deposit sac
    cancell unsubscrib subscrib return refund exchang replac dispute check track show list block unblock renew pay send update change remov delete order buy activat deactivat disconnect terminat stop schedul reschedul
    devuelv devolv anul compr rembols reembols bloque desbloque renuev renov pagu muestr envi quit elimin
""")
_ENDINGS = listed("""a e o ar er ir em am as es ando endo indo asse esse isse assem essem issem ei ou aria eria iria aram eram iram ado ada ados adas ido ida idos idas ares arem erem irem rei remos amos emos imos
    ue uem uei ues quem que ga gue guem guei guem ca co ce ces cem quei ja jo je jem za ze zem zei
    ing ed s d ation cion acion elo ela elos elas elo en an a-me ame eme alo ala alos alas arlo arla arlos arlas arme erme irme irlo irla celo mento cao coes gem""")
_IRREGULAR = listed(
    "cancel check track show list block unblock renew return refund dispute send order buy pay ve ver peco"
)


_NOT_VERBS = listed("marco vista vistas")
"""Nouns with the shape of a verb of the list."""
_MORE_ENDINGS = listed("ia iam ie iem i iu ate ates ated ating")
"""Endings too common to know a verb by, but enough where its stem is the operation's own."""


def is_ending(text: str) -> bool:
    """Whether a folded text is the ending of a verb; of an English one it may be none."""
    return not text or text in _ENDINGS or text in _MORE_ENDINGS or _nested(text)


@lru_cache(maxsize=4096)
def verb_stem(word: str) -> str:
    """Return the stem of a verb of request by which a folded word is known, "" where it is none: "cancelem" -> "cancel"."""
    if word in _IRREGULAR:
        return word
    if word in _NOT_VERBS:
        return ""
    bare = word.split("-", 1)[0]  # cancele-me
    for size in range(len(bare), 1, -1):
        stem, ending = bare[:size], bare[size:]
        if stem in _STEM_SET and (ending in _ENDINGS or _nested(ending)):
            return stem
    return ""


def _nested(ending: str) -> bool:
    return len(ending) > 3 and any(
        ending.startswith(first) and ending[len(first) :] in ("lo", "la", "los", "las", "me", "mos")
        for first in ("ar", "er", "ir", "a", "e")
    )


_VERB_FORMS = tuple(
    sorted(
        stem + end
        for stem in (
            "cancel",
            "contrat",
            "contest",
            "confirm",
            "bloque",
            "consult",
            "renov",
            "devolv",
            "agend",
            "assin",
        )
        for end in ("ar", "a", "e", "em", "amento")
    )
)


def mistyped_verb(word: str) -> str:
    near = [
        form
        for form in _VERB_FORMS
        if abs(len(form) - len(word)) <= 1 and OSA.distance(word, form, score_cutoff=1) <= 1
    ]
    return near[0] if near and len({verb_stem(form) for form in near}) == 1 else ""
