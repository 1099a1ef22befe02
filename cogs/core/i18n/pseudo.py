"""A pretended language that shows which text is not translated: every sentence of it is accented and in brackets."""

import re
from gettext import NullTranslations

from cogs.core.i18n.translation import Language

CODE = "en-XA"
"""The usual code of a pseudo-locale with accents."""

OPENS, CLOSES = "⟦", "⟧"

_ACCENTS = str.maketrans("AEIOUYaeiouycnsz", "ÀÉÎÖÛÝàéîöûýçñšž")

_KEPT = re.compile(r"\{[^}]*\}|<[^>]*>|`[^`]*`|\]\([^)]*\)|:[a-z0-9_]+:")
"""What a translator leaves as it is: names in braces, mentions and times, commands, addresses, emoji."""


_MARKUP = re.compile(r"(?:#{1,3} |-# |- |> )?")
"""What makes a line a heading, a small line or a quotation; it must come first."""


class PseudoTranslations(NullTranslations):
    """Accents each sentence and puts it in brackets, behind the markup with which it begins."""

    def gettext(self, message: str) -> str:
        """Return a sentence as it would look in another language."""
        markup = _MARKUP.match(message)
        at = 0 if markup is None else markup.end()
        return f"{message[:at]}{OPENS}{_accented(message[at:])}{CLOSES}"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the form for a number."""
        return self.gettext(msgid1 if n == 1 else msgid2)


def _accented(message: str) -> str:
    parts, at = list[str](), 0
    for kept in _KEPT.finditer(message):
        parts += message[at : kept.start()].translate(_ACCENTS), kept.group()
        at = kept.end()
    return "".join((*parts, message[at:].translate(_ACCENTS)))


_TRANSLATIONS = PseudoTranslations()

PSEUDO = Language(CODE, _TRANSLATIONS, _TRANSLATIONS.gettext)
