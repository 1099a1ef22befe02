"""Test the sandbox's page in headless Chromium with the whole bot: open a table, play, see the picture."""

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandbox import PATIENCE_S
from tests.preloaded import run_patient_sandbox
from tests.preloaded import start as start_process
from tools.screenshots import CHROMIUM, start

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine: apt-get install chromium"),
]


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Start a bot as `make play` does. Yield the address of its page."""
    output = tmp_path / "output"
    environment = {**os.environ, "DATABASE": str(tmp_path / "page.db"), "THINK_SECONDS": "0.05"}
    process = start_process(output, environment, run=run_patient_sandbox)
    try:
        while (found := re.search(r"http://\S+(?=\s)", output.read_text() if output.exists() else "")) is None:
            assert not process.ended(0.02), "the bot ended before it was ready"
        yield found[0]
        process.send_signal(signal.SIGTERM)
        assert process.ended(PATIENCE_S) and process.returncode == 0
    finally:
        process.kill()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Launch a headless browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def new_page(browser: Any, **more: Any) -> Any:
    """Return an empty page whose timeouts suit a busy machine."""
    page = browser.new_page(**more)
    page.set_default_timeout(PATIENCE_S * 1_000)
    return page


def opened(browser: Any, address: str, person: str, width: int, height: int) -> tuple[Any, list[str]]:
    """Open the page as a person. Return it with a list that collects its console errors."""
    page = new_page(browser, viewport={"width": width, "height": height})
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
    page.goto(f"{address}/#{person}")
    page.wait_for_selector("body[data-connected]")
    page.wait_for_selector("#presence[data-bot=online]")
    return page, complaints


PUSHES = '#channel-pane [data-custom-id*=":push:"]:not([aria-disabled=true])'
PICTURE = "[...document.querySelectorAll('#channel-pane img')].find(image => image.naturalWidth >= 800)"


def drawn(page: Any) -> str:
    """Wait for the table's picture and return its address."""
    page.wait_for_function("() => [...document.querySelectorAll('#channel-pane img')].some(i => i.naturalWidth >= 800)")
    return str(
        page.evaluate("[...document.querySelectorAll('#channel-pane img')].find(i => i.naturalWidth >= 800).src")
    )


@pytest.mark.parametrize(("width", "height"), [(1280, 860), (400, 820)])
def test_a_table_is_started_and_three_moves_are_played_against_the_computer(
    chromium: Any, address: str, width: int, height: int
):
    page, complaints = opened(chromium, address, "Ann", width, height)
    start(page, "/rope-wall start computer:rookie")
    seen = {drawn(page)}
    for _ in range(3):
        page.wait_for_function("() => document.querySelector('#channel-pane').innerText.includes('Ann\\'s move')")
        page.locator(PUSHES).first.click()
        page.wait_for_function(f"old => {PICTURE} && {PICTURE}.src !== old", arg=drawn(page))
        seen.add(drawn(page))
    assert len(seen) >= 4
    inside = page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert inside, "the page is wider than the window"
    assert page.locator("[data-violations]").first.get_attribute("data-violations") == "0"
    assert complaints == []


def test_two_people_play_each_other_from_two_tabs(chromium: Any, address: str):
    ann, complaints = opened(chromium, address, "Ann", 1280, 860)
    ben, more = opened(chromium, address, "Ben", 400, 820)
    start(ann, "/rope-wall start clock:0")
    ben.locator('[data-custom-id*=":join:"]').click()
    ann.locator('[data-custom-id*=":begin:"]:not([aria-disabled=true])').click()
    drawn(ben)
    for _ in range(3):
        text = ben.locator("#channel-pane").inner_text()
        mover = ann if "Ann's move" in text else ben
        other, name = (ben, "Ben") if mover is ann else (ann, "Ann")
        mover.locator(PUSHES).last.click()
        for page in (mover, other):
            page.wait_for_function(
                "name => document.querySelector('#channel-pane').innerText.includes(name + '\\'s move')", arg=name
            )
    assert "your turn" not in ann.locator("#channel-pane").inner_text()
    assert complaints == more == []


@pytest.mark.parametrize(("scheme", "bright"), [("dark", False), ("light", True)])
def test_the_page_is_dark_or_light_as_its_readers_system_is(chromium: Any, address: str, scheme: Any, bright: bool):
    page = new_page(chromium, color_scheme=scheme)
    page.goto(f"{address}/#Ann")
    page.wait_for_selector("#presence[data-bot=online]")
    for part in ("body", ".channel-pane", ".direct-pane"):
        ground, ink = (
            [int(number) for number in re.findall(r"\d+", colour)[:3]]
            for colour in page.eval_on_selector(
                part, "part => [getComputedStyle(part).backgroundColor, getComputedStyle(part).color]"
            )
        )
        if any(ground):
            assert (min(ground) > 200) is bright and (max(ink) > 200) is not bright


def test_the_first_look_says_how_to_begin_and_what_is_typed_anywhere_goes_into_the_line(chromium: Any, address: str):
    page, complaints = opened(chromium, address, "Ann", 1280, 860)
    page.wait_for_selector(".first-steps")
    page.mouse.click(500, 200)
    page.keyboard.type("hello there")
    assert page.input_value("#composer") == "hello there"
    page.fill("#composer", "")
    page.locator(".switch").click()
    page.keyboard.press("Escape")
    page.keyboard.type("x")
    assert page.input_value("#composer-direct") == "x"  # the line of the active pane
    assert complaints == []


def test_enter_takes_the_suggestion_of_an_optional_option_and_sends_nothing(chromium: Any, address: str):
    page, complaints = opened(chromium, address, "Ann", 1280, 860)
    start(page, "/rope-wall start")
    page.wait_for_selector(".command-pill:not([hidden])")
    page.keyboard.type("computer")
    page.keyboard.press("Enter")
    page.wait_for_selector('[data-popup="composer"] [data-choice]')
    page.keyboard.press("Enter")
    assert page.input_value("[data-command-option=computer]") != ""
    assert page.locator("#channel-pane [data-message-id]").count() == 0
    page.keyboard.press("Enter")
    page.wait_for_selector("#channel-pane [data-message-id]")
    assert complaints == []


def test_back_leads_through_the_channels_and_never_out_of_the_page(chromium: Any, address: str):
    page, complaints = opened(chromium, address, "Ann", 1280, 860)
    page.click("#channels [data-channel=mess-hall]")
    page.wait_for_function("document.title.includes('mess-hall')")
    page.go_back()
    page.wait_for_function("document.title.includes('yard')")
    page.evaluate("history.go(-1)")
    page.wait_for_function("history.state && history.state.place")
    assert page.url.startswith(address)
    assert "yard" in page.title()
    assert complaints == []


def test_commands_are_described_in_the_language_of_the_person(chromium: Any, address: str):
    page, complaints = opened(chromium, address, "Ann", 1280, 860)
    page.select_option("[data-locale]", "de")
    page.fill("#composer", "/help")
    page.wait_for_selector("text=Was du hier spielen kannst")
    assert complaints == []
