"""The comparison form of text, and the everyday spellings that stand for one word.

Owns: what "the same up to case, accents and blanks" means, stretched letters, chat abbreviations.
Invariants: every function is total, deterministic and linear; `fold(fold(x)) == fold(x)`.
Never: decides what a word means (vocabulary.py does), shows a folded form to a customer.
Source: language.json GENERAL-2, ITEMS-5.
"""

import unicodedata
from functools import lru_cache

__all__ = ["fold", "spelled", "squash", "unstretched"]

_INVISIBLE = frozenset({"Cf", "Mn", "Me", "Cs", "Co"})
"""Unicode categories that carry no letter: joiners, accents, enclosing marks, halves of pairs, private use."""

SPELLINGS: dict[str, str] = {
    # Portuguese as typed on a telephone
    "n": "nao", "nn": "nao", "naum": "nao", "nau": "nao", "nop": "nao", "noa": "nao", "nao": "nao",
    "s": "sim", "ss": "sim", "sss": "sim", "sm": "sim", "simm": "sim", "sin": "sin", "smi": "sim", "ssim": "sim", "xim": "sim", "siim": "sim",
    "sims": "sim", "simz": "sim", "zim": "sim",
    "q": "que", "k": "que", "oq": "o que", "pq": "porque", "pk": "porque", "porq": "porque", "pqe": "porque",
    "vc": "voce", "vcs": "voces", "ce": "voce", "ces": "voces", "oce": "voce",
    "tb": "tambem", "tbm": "tambem", "tbem": "tambem", "tmb": "tambem", "tambm": "tambem", "tanbem": "tambem", "tamben": "tambem",
    "pfv": "por favor", "pf": "por favor", "pfvr": "por favor", "pfvor": "por favor", "porfa": "por favor", "porfavor": "por favor",
    "pls": "please", "plz": "please", "plis": "please", "pliz": "please", "thx": "thanks", "ty": "thanks", "tks": "thanks", "tnx": "thanks",
    "blz": "beleza", "belez": "beleza", "blza": "beleza", "bele": "beleza", "vlw": "valeu", "vlww": "valeu", "flw": "falou", "fmz": "firmeza", "fmza": "firmeza",
    "obg": "obrigado", "obgd": "obrigado", "obgda": "obrigada", "obgdo": "obrigado", "brigado": "obrigado", "brigada": "obrigada",
    "obrig": "obrigado", "obgado": "obrigado", "obgada": "obrigada", "brigadao": "obrigado", "obrigadao": "obrigado",
    "msm": "mesmo", "mesm": "mesmo", "td": "tudo", "tds": "todos", "tdo": "tudo", "tudu": "tudo", "todus": "todos", "tdas": "todas",
    "ctz": "certeza", "cert": "certo", "crt": "certo", "dps": "depois", "dpois": "depois", "hj": "hoje", "agr": "agora", "amn": "amanha",
    "qd": "quando", "qdo": "quando", "qndo": "quando", "qto": "quanto", "qnto": "quanto", "qnt": "quanto", "qro": "quero", "qero": "quero",
    "kero": "quero", "kro": "quero", "qria": "queria", "qlqr": "qualquer", "ql": "qual", "cmg": "comigo", "pra": "para", "pro": "para o",
    "pras": "para as", "pros": "para os", "p": "para", "p/": "para", "c/": "com", "s/": "sem", "d": "de", "eh": "e", "neh": "ne", "bj": "beijo",
    "bjs": "beijo", "abs": "abraco", "msg": "mensagem", "tel": "telefone", "cel": "celular", "mt": "muito", "mto": "muito",
    "mta": "muita", "mts": "muitos", "fz": "faz", "ta": "ta", "tah": "ta", "tava": "estava", "to": "to", "toh": "to", "vo": "vou",
    "pod": "pode", "poode": "pode", "podi": "pode", "podee": "pode", "pd": "pode", "cancel": "cancela", "canc": "cancela", "conf": "confirmo",
    "okay": "ok", "okey": "ok", "oks": "ok", "okk": "ok", "okie": "ok", "oki": "ok", "oky": "ok", "oke": "ok", "okidoki": "ok", "oquei": "ok",
    "+": "mais", "+-": "mais ou menos", "so": "so", "soh": "so", "somnte": "somente", "somente": "somente",
    "primero": "primeiro", "ultmo": "ultimo", "aki": "aqui", "ai": "ai", "aih": "ai", "ae": "ai",
    "entao": "entao", "entaum": "entao", "intao": "entao", "nd": "nada", "ngm": "ninguem", "glr": "galera", "vdd": "verdade", "slk": "nossa",
    "sla": "sei la", "tlgd": "ta ligado", "pdc": "pode crer", "dmr": "demorou", "demoro": "demorou", "tmj": "tamo junto", "fds": "fim de semana",
    "n/": "nao", "gostria": "gostaria", "qeria": "queria", "precizo": "preciso", "preciz": "preciso", "prfvr": "por favor",
    # English and Spanish
    "u": "you", "ur": "your", "r": "are", "yea": "yeah", "yah": "yeah", "yess": "yes", "ye": "yes", "yup": "yes", "yep": "yes", "yas": "yes",
    "yeap": "yes", "nope": "no", "nah": "no", "nopes": "no", "dont": "don't", "cant": "can't", "wont": "won't", "wanna": "want to",
    "gonna": "going to", "gimme": "give me", "lemme": "let me", "im": "i am", "idk": "i don't know", "dunno": "i don't know",
    "xq": "porque", "tmbn": "tambien", "tmbien": "tambien", "grax": "gracias", "grcs": "gracias", "xfa": "por favor", "xfavor": "por favor",
}  # fmt: skip
"""Folded chat spelling -> folded plain words (one or several). A key may equal its value: it is then a word of its own."""


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """Return the comparison form: NFKC, case folded, without accents and invisible characters, blanks collapsed, ends trimmed."""
    if text.isascii():
        return " ".join(text.lower().split())
    spread = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    kept = "".join(char for char in spread if unicodedata.category(char) not in _INVISIBLE)
    return " ".join(unicodedata.normalize("NFKC", kept).casefold().split())


@lru_cache(maxsize=8192)
def squash(text: str) -> str:
    """Return the letters and digits of the comparison form only: the same for "TIM Fashion", "tim-fashion" and "Timfashion"."""
    return "".join(char for char in fold(text) if char.isalnum())


def unstretched(word: str) -> tuple[str, ...]:
    """Return the plain spellings a stretched folded word may stand for, likeliest first: "siiim" -> "sim", "isssooo" -> "iso", "isso".

    Runs of three and more become one letter or two, the same choice for all runs of the word;
    a doubled vowel and a doubled last letter are stretches too. A word without a stretch yields nothing.
    """
    single: list[str] = []
    double: list[str] = []
    longest = 1
    run = 0
    for index, char in enumerate(word):
        run = run + 1 if index and char == word[index - 1] and not char.isdigit() else 1
        longest = max(longest, run)
        if run <= 1:
            single.append(char)
        if run <= 2:
            double.append(char)
    ones, twos = "".join(single), "".join(double)
    if longest >= 3:
        mixed = _runs(word)
        return tuple(dict.fromkeys((mixed, ones, twos, _runs(twos))))
    if longest == 2 and len(word) > 2:
        vowels = "".join(
            char for index, char in enumerate(word) if not (index and char == word[index - 1] and char in "aeiou")
        )
        shorter = word[:-1] if word[-1] == word[-2] else word
        return tuple(dict.fromkeys(form for form in (shorter, vowels, _runs(vowels)) if form != word))
    return ()


def _runs(word: str) -> str:
    """Shorten runs of three and more to one letter, and a doubled last letter; doubles inside stay ("issooo" -> "isso")."""
    out: list[str] = []
    index = 0
    while index < len(word):
        end = index
        while end < len(word) and word[end] == word[index]:
            end += 1
        length = end - index
        out.append(word[index] if length >= 3 or end == len(word) else word[index:end])
        index = end
    return "".join(out)


def spelled(word: str) -> str:
    """Return the plain folded words a folded chat spelling stands for, or the word itself."""
    return SPELLINGS.get(word, word)
