"""The web page's files without a browser: no outside resources, no text parsed as markup, frames as README.md lists
them, and readable colours.
"""

import re
from pathlib import Path

import pytest

SANDBOX = Path(__file__).resolve().parents[2] / "sandbox"
PAGE = SANDBOX / "web_ui" / "static"
MODULES = sorted(PAGE.glob("*.js"))
STYLES = sorted(PAGE.glob("*.css"))
INDEX = (PAGE / "index.html").read_text(encoding="utf-8")

# The only address of another host that the page may contain: the namespace of SVG, which nothing loads.
NAMESPACE = "http://www.w3.org/2000/svg"
OUTSIDE = re.compile(r"""(?:https?:)?//[a-z0-9-]+(?:\.[a-z0-9-]+)+""")
IMPORT = re.compile(r"^import (?:\{([^}]*)\} from )?'\./([\w.]+)';", re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:function\*?|class|const) (\w+)", re.MULTILINE)


def source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def opening(path: Path) -> str:
    """Return the comment at the top of a module, on one line."""
    lines = source(path).splitlines()
    comment = [
        line.removeprefix("//").strip() for line in lines[: next(i for i, line in enumerate(lines) if line[:2] != "//")]
    ]
    return " ".join(comment)


def imports(path: Path) -> dict[str, set[str]]:
    """Map module names to the names that are imported from them."""
    found = IMPORT.findall(source(path))
    return {name: {part.strip() for part in names.split(",") if part.strip()} for names, name in found}


@pytest.mark.parametrize("path", [*MODULES, *STYLES, PAGE / "index.html"], ids=lambda path: path.name)
def test_the_page_loads_nothing_from_elsewhere(path: Path):
    assert not OUTSIDE.findall(source(path).replace(NAMESPACE, ""))
    assert "@import" not in source(path)
    assert "url(" not in source(path) or path.suffix == ".js"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_text_is_ever_parsed_as_markup_or_script(path: Path):
    forbidden = (
        r"innerHTML|outerHTML|insertAdjacentHTML|setHTML|document\.write|DOMParser|createContextualFragment|srcdoc"
        r"|\beval\(|new Function|setTimeout\('"
    )
    assert not re.findall(forbidden, source(path))


def test_the_index_holds_no_script_of_its_own_and_names_files_that_exist():
    assert not re.findall(r"<script(?![^>]*\bsrc=)|\son\w+=", INDEX)
    named = re.findall(r'(?:href|src)="/page/([^"]+)"', INDEX)
    assert named
    assert all((PAGE / name).is_file() for name in named)
    assert {path.name for path in STYLES} <= set(named)


def test_the_modules_ask_only_for_elements_that_the_index_has():
    asked = {name for path in MODULES for name in re.findall(r"\bfind\('([\w-]+)'\)", source(path))}
    assert asked
    assert asked <= set(re.findall(r'\bid="([\w-]+)"', INDEX))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_module_imports_only_what_others_export(path: Path):
    for name, wanted in imports(path).items():
        assert wanted <= set(EXPORT.findall(source(PAGE / name)))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_module_opens_by_saying_what_it_is_for_and_what_it_imports(path: Path):
    head = opening(path)
    assert "mports" in head
    if path.name != "app.js":  # it imports all the others
        said = set(re.findall(r"[\w-]+\.js", head[head.rindex("mports") :]))
        assert said == set(imports(path))


def test_every_module_is_reached_from_the_one_that_the_index_loads():
    reached, ahead = set(), ["app.js"]
    while ahead:
        name = ahead.pop()
        if name not in reached:
            reached.add(name)
            ahead += imports(PAGE / name)
    assert reached == {path.name for path in MODULES}


def frames(heading: str) -> set[str]:
    """Return the frames that README.md lists under a heading of its table."""
    text = (SANDBOX / "README.md").read_text(encoding="utf-8")
    table = text.split(heading, 1)[1].split("\n\n", 2)[1]
    return set(re.findall(r'^\| `\{"op":"(\w+)"', table, re.MULTILINE))


def test_the_page_sends_exactly_the_frames_that_the_specification_lists():
    script = "\n".join(source(path) for path in MODULES)
    sent = set(re.findall(r"\{ op: '(\w+)'", script)) | set(re.findall(r"^\s+op: '(\w+)'", script, re.MULTILINE))
    assert sent - {"failed"} == frames("From the page:")  # the page makes `failed` itself when the connection is lost


def test_the_page_understands_every_frame_that_the_specification_lists():
    script = "\n".join(source(path) for path in MODULES)
    handled = set(re.findall(r"case '(\w+)':", source(PAGE / "app.js")))
    answered = {name for name in ("pending", "answered", "failed", "choices") if re.search(rf"\b{name}\b", script)}
    assert frames("To the page:") <= handled | answered


# ---------------------------------------------------------------- colours

LEAST = 4.5
"""The contrast that WCAG 2 requires of ordinary text at level AA."""


SCHEMES = pytest.mark.parametrize("scheme", ["dark", "light"])


def variables(scheme: str) -> dict[str, str]:
    """Return the page's colours in a scheme; the light scheme overrides some of the dark one."""
    dark, _, light = source(PAGE / "style.css").partition("@media (prefers-color-scheme: light)")
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{3,6});", dark + (light if scheme == "light" else "")))


def brightness(colour: str) -> float:
    """Return the relative luminance of "#rgb" or "#rrggbb", from 0 to 1."""
    digits = colour.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((brightness(one), brightness(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@SCHEMES
@pytest.mark.parametrize("ground", ["rail", "side", "chat", "raised", "float"])
@pytest.mark.parametrize("ink", ["text", "strong", "quiet", "link"])
def test_text_can_be_read_on_every_ground(ink: str, ground: str, scheme: str):
    colours = variables(scheme)
    assert contrast(colours[ink], colours[ground]) >= LEAST


@SCHEMES
@pytest.mark.parametrize("ground", ["rail", "side", "chat"])
def test_failures_can_be_read_on_every_background(ground: str, scheme: str):
    colours = variables(scheme)
    assert contrast(colours["red"], colours[ground]) >= LEAST


@SCHEMES
@pytest.mark.parametrize("kind", ["primary", "secondary", "success", "danger"])
def test_words_can_be_read_on_every_button(kind: str, scheme: str):
    colours = variables(scheme)
    ink = colours["on-grey"] if kind == "secondary" else "#ffffff"
    css = source(PAGE / "controls.css")
    for state in ("", ":hover"):
        rule = re.search(rf"\.button\.{kind}{state}(?:,[^{{]*)? \{{\s*background: ([^;]+);", css)
        assert rule is not None
        named = re.fullmatch(r"var\(--([\w-]+)\)", rule[1])
        assert contrast(ink, colours[named[1]] if named else rule[1]) >= LEAST


def test_letters_can_be_read_on_every_avatar():
    tones = re.search(r"TONES = \[([^\]]+)\]", source(PAGE / "dom.js"))
    assert tones is not None
    assert all(contrast("#ffffff", tone) >= LEAST for tone in re.findall(r"#[0-9a-f]{6}", tones[1]))


def test_emoji_fonts_are_asked_after_every_font_of_letters():
    """They have digits and spaces of their own, thin and wide ones, which would appear in every text."""
    words = re.search(r"--words:([^;]+);", source(PAGE / "style.css"))
    assert words is not None
    fonts = [font.strip() for font in words[1].split(",")]
    assert [("Emoji" in font) for font in fonts] == sorted("Emoji" in font for font in fonts)
    assert "sans-serif" in fonts
