"""The languages that the bot speaks: one catalogue each, read when the bot starts."""

import io
import logging
from collections.abc import Iterable
from gettext import GNUTranslations
from pathlib import Path
from typing import Self

from babel import Locale, UnknownLocaleError
from babel.messages import mofile, pofile

from cogs.core.i18n.pseudo import PSEUDO
from cogs.core.i18n.translation import ENGLISH, Language

log = logging.getLogger(__name__)

FOLDER = Path(__file__).resolve().parents[3] / "locales"
"""Holds a catalogue of each language: `de/LC_MESSAGES/cellblock.po`."""


def read_catalogue(path: Path, code: str) -> Language:
    """Return the language of a catalogue. A sentence that it lacks stays English. Raises `OSError` or `ValueError`."""
    with path.open("rb") as file:
        catalogue = pofile.read_po(file, locale=code.replace("-", "_"), abort_invalid=True)
    compiled = io.BytesIO()
    mofile.write_mo(compiled, catalogue)
    compiled.seek(0)
    return Language(code, GNUTranslations(compiled))


class Languages:
    """English and all languages that have a catalogue. `several`: there is another language."""

    def __init__(self, others: Iterable[Language] = ()) -> None:
        self._known = {language.code: language for language in (ENGLISH, *others)}
        self.several = len(self._known) > 1

    @classmethod
    def load(cls, folder: Path = FOLDER, *, pseudo: bool = False) -> Self:
        """Read all catalogues; `pseudo` adds the pretended language. One that is broken is left out, and logged."""
        found = [PSEUDO] if pseudo else list[Language]()
        for path in sorted(folder.glob("*/LC_MESSAGES/cellblock.po")):
            code = path.parents[1].name.replace("_", "-")
            try:
                found.append(read_catalogue(path, code))
            except (OSError, ValueError, LookupError, SyntaxError, pofile.PoFileError) as error:
                log.error("the catalogue %s cannot be read, so this language is not offered: %s", path, error)
        return cls(found)

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of all languages, English first."""
        return tuple(self._known)

    @property
    def others(self) -> tuple[Language, ...]:
        """All languages but English."""
        return tuple(self._known.values())[1:]

    def find(self, code: str | None) -> Language | None:
        """Return the language with exactly this code, if there is one."""
        return self._known.get(code or "")

    def of(self, locale: str | None) -> Language:
        """Return the language for one of Discord's locales: its own, or that of another country, or else English."""
        if (exact := self._known.get(locale or "")) is not None:
            return exact
        base = (locale or "").partition("-")[0]
        return next((one for code, one in self._known.items() if code.partition("-")[0] == base), ENGLISH)


def own_name(language: Language) -> str:
    """Return what a language calls itself: English, Deutsch, Français."""
    try:
        found = Locale.parse(language.code, sep="-").get_display_name()
    except (ValueError, UnknownLocaleError):
        return language.code
    return found[:1].upper() + found[1:] if found else language.code
