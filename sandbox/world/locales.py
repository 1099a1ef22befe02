"""The locales that a person can choose in Discord, and one more that no Discord has."""

PSEUDO = "en-XA"
"""The usual code of a pretended language, by which a bot can show what it does not translate."""

LOCALES = (
    *(
        "bg",
        "cs",
        "da",
        "de",
        "el",
        "en-GB",
        "en-US",
        "es-419",
        "es-ES",
        "fi",
        "fr",
        "hi",
        "hr",
        "hu",
        "id",
        "it",
        "ja",
    ),
    *("ko", "lt", "nl", "no", "pl", "pt-BR", "ro", "ru", "sv-SE", "th", "tr", "uk", "vi", "zh-CN", "zh-TW"),
    PSEUDO,
)
"""Source: Discord's reference, 'Locales'."""
