"""Verification: a true record is proved, and the first difference in a tampered one is named."""

import dataclasses
import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cogs.core.pages.verification import report_text, verdict
from engine.chance import commitment
from engine.contract import AnyGame, ClockShifted, Event, Refusal, to_json
from engine.export import BrokenExport, Export, ExportedDecision, read_export, write_export
from engine.games import GAMES
from engine.verify import verify
from tools.goldens import SEED, SHORT
from tools.harness.playouts import Playout, material, play, seed_bytes
from tools.versions import FOLDER

TABLE_NUMBER = 7
Plain = dict[str, Any]


def export_of(playout: Playout) -> Export:
    """Return the export of a playout, with its draws named like a table's."""
    count = len(playout.setup)
    decisions = [ExportedDecision(0, None, playout.begin, None)]
    for step in playout.steps:
        decisions.append(ExportedDecision(count, step.seat, step.at, json.loads(to_json(step.action))))
        count += len(step.events)
    return Export(
        game=playout.game.key,
        table=TABLE_NUMBER,
        names=tuple(f"Player {seat}" for seat in range(playout.seats)),
        options=json.loads(to_json(playout.options)),
        seed=playout.seed.hex(),
        commitment=commitment(playout.seed),
        decisions=tuple(decisions),
        events=tuple(json.loads(to_json(event)) for event in playout.events),
        rules=playout.game.rules_version,
    )


@pytest.fixture(params=list(GAMES))
def game(request: pytest.FixtureRequest) -> AnyGame:
    return GAMES[request.param]


@pytest.fixture
def export(game: AnyGame) -> Export:
    """Return the golden playthrough as played at a numbered table."""
    return export_of(play(game, SEED, options=game.options(**SHORT.get(game.key, {})), table=str(TABLE_NUMBER)))


def test_the_golden_playthrough_is_proved(game: AnyGame, export: Export):
    report = verify(export, game, material(game))
    assert report.difference is None and report.material
    assert f"All {len(export.events)} events" in report_text(report)


def test_random_games_are_proved_also_from_their_file(game: AnyGame):
    for seed in range(3):
        export = read_export(write_export(export_of(play(game, seed, table=str(TABLE_NUMBER)))))
        assert verify(export, game, material(game)).difference is None


def test_a_game_of_one_table_does_not_prove_that_of_another(game: AnyGame, export: Export):
    others = [msgspec.structs.replace(export, table=TABLE_NUMBER + step) for step in range(1, 12)]
    assert not all(verify(other, game, material(game)).proved for other in others)  # a coin may land the same way


def replaced(events: tuple[Plain, ...], number: int, event: Plain) -> tuple[Plain, ...]:
    return (*events[:number], event, *events[number + 1 :])


def number_in(event: Plain) -> Plain:
    """Return the event with one of its numbers changed, at any depth, if it has any."""
    changed = json.loads(json.dumps(event))

    def change(value: Any) -> bool:
        for key, item in list(value.items() if isinstance(value, dict) else enumerate(value)):
            if isinstance(item, int) and not isinstance(item, bool):
                value[key] = item + 1
                return True
            if isinstance(item, dict | list) and change(item):
                return True
        return False

    change(changed)
    return changed


def changed_at(export: Export, number: int) -> Export:
    """Return the export with one number changed, in the first event from this index on that has one."""
    at = next(n for n in range(number, len(export.events)) if number_in(export.events[n]) != export.events[n])
    return msgspec.structs.replace(export, events=replaced(export.events, at, number_in(export.events[at])))


TAMPERED: dict[str, Callable[[Export], Export]] = {
    "the seed": lambda e: msgspec.structs.replace(e, seed=seed_bytes(12345).hex()),
    "no seed": lambda e: msgspec.structs.replace(e, seed="xyz"),
    "the commitment": lambda e: msgspec.structs.replace(e, commitment="0" * 64),
    "an event": lambda e: changed_at(e, len(e.events) // 2),
    "the first event": lambda e: msgspec.structs.replace(e, events=replaced(e.events, 0, number_in(e.events[0]))),
    "an event of no game": lambda e: msgspec.structs.replace(e, events=replaced(e.events, 3, {"event": "no-such"})),
    "a missing event": lambda e: msgspec.structs.replace(e, events=(*e.events[:5], *e.events[6:])),
    "an event twice": lambda e: msgspec.structs.replace(e, events=(*e.events[:5], e.events[4], *e.events[5:])),
    "an event too many": lambda e: msgspec.structs.replace(e, events=(*e.events, e.events[-1])),
    "the order of decisions": lambda e: msgspec.structs.replace(
        e, decisions=(*e.decisions[:4], e.decisions[5], e.decisions[4], *e.decisions[6:])
    ),
    "a missing decision": lambda e: msgspec.structs.replace(e, decisions=(*e.decisions[:4], *e.decisions[5:])),
    "the number of a decision": lambda e: msgspec.structs.replace(
        e, decisions=(*e.decisions[:-1], msgspec.structs.replace(e.decisions[-1], number=e.decisions[-1].number + 1))
    ),
    "an action of nobody": lambda e: msgspec.structs.replace(
        e, decisions=(*e.decisions[:4], msgspec.structs.replace(e.decisions[4], seat=99), *e.decisions[5:])
    ),
    "an action of no game": lambda e: msgspec.structs.replace(
        e, decisions=(*e.decisions[:4], msgspec.structs.replace(e.decisions[4], action={"do": "x"}), *e.decisions[5:])
    ),
    "no setup": lambda e: msgspec.structs.replace(e, decisions=e.decisions[1:]),
    "the end cut off": lambda e: msgspec.structs.replace(
        e, decisions=e.decisions[:-1], events=e.events[: e.decisions[-1].number]
    ),
    "the players": lambda e: msgspec.structs.replace(e, names=e.names * 20),
    "the options": lambda e: msgspec.structs.replace(e, options={**e.options, "clock": 7}),
    "options of no game": lambda e: msgspec.structs.replace(e, options={"nonsense": 1}),
}


@pytest.mark.parametrize("tamper", TAMPERED.values(), ids=list(TAMPERED))
def test_a_tampered_record_is_caught_and_the_difference_named(
    game: AnyGame, export: Export, tamper: Callable[[Export], Export]
):
    report = verify(tamper(export), game, material(game))
    assert not report.proved
    assert "doesn't follow from its seed" in report_text(report) or "Event 1 differs" in report_text(report)


def test_the_first_difference_is_the_one_that_is_named(export: Export, game: AnyGame):
    at = max(number for number, event in enumerate(export.events) if number_in(event) != event)
    changed = msgspec.structs.replace(export, events=replaced(export.events, at, number_in(export.events[at])))
    report = verify(changed, game, material(game))
    assert report.difference is not None
    assert report.difference.facts["number"] == at + 1 and f"Event {at + 1} " in report_text(report)


# --------------------------------------------------------------------------------------- under other rules than today's


def other_rules(game: AnyGame, *, refusing: bool = False) -> AnyGame:
    """Return the game under a second version of its rules, in which every move also delays by 0 ms, or is refused."""

    class OtherRules(AnyGame):
        def decide(self, *arguments: Any) -> list[Event]:
            if refusing:
                raise Refusal("never-mind")
            return [ClockShifted(0), *super().decide(*arguments)]

    fields = {field.name: getattr(game, field.name) for field in dataclasses.fields(game)}
    return OtherRules(**{**fields, "rules_version": game.rules_version + 1})


def test_verifying_a_game_under_older_rules_proves_its_draws_and_says_so(game: AnyGame, export: Export):
    newer = other_rules(game)
    report = verify(export, newer, material(game))
    assert report.proved and verdict(report) == "The draws are proved."
    assert (
        f"played under version {game.rules_version} of its rules, and this is version {newer.rules_version}"
        in report_text(report)
    )
    assert "All random draws are proved" in report_text(report)
    assert "decisions weren't checked" in report_text(report)


def test_a_game_under_older_rules_that_comes_out_the_same_is_proved_altogether(game: AnyGame, export: Export):
    report = verify(export, dataclasses.replace(game, rules_version=game.rules_version + 1), material(game))
    assert report.proved and report.other is None and verdict(report) == "Proved."


def test_a_draw_that_does_not_follow_from_the_seed_is_not_proved_under_older_rules_either(
    game: AnyGame, export: Export
):
    for number in range(70, 90):  # several, since a coin may land the same way
        forged = msgspec.structs.replace(
            export, seed=seed_bytes(number).hex(), commitment=commitment(seed_bytes(number))
        )
        report = verify(forged, other_rules(game), material(game))
        assert report.other is not None
        if not report.proved:
            assert report.other.proved < report.other.draws
            return
    raise AssertionError("every seed proves the same draws")


def test_draws_that_todays_rules_never_come_to_are_not_said_to_be_proved(game: AnyGame, export: Export):
    report = verify(export, other_rules(game, refusing=True), material(game))
    assert report.other is not None
    if report.other.draws > report.other.proved:
        assert not report.proved and "need the older rules" in report_text(report)
        assert verdict(report) == ("Partly proved." if report.other.proved else "Not proved!")


@pytest.mark.parametrize("what", ["the seed", "the commitment", "an event of no game", "the end cut off", "no setup"])
def test_other_rules_excuse_no_broken_record(game: AnyGame, export: Export, what: str):
    report = verify(TAMPERED[what](export), other_rules(game), material(game))
    assert not report.proved


@pytest.mark.parametrize("wrong", ["no setup", "twice", "exchanged"])
def test_other_rules_excuse_no_decisions_that_do_not_fit_the_events(game: AnyGame, export: Export, wrong: str):
    setup, first, second, *others = export.decisions
    decisions = {
        "no setup": (first, second, *others),
        "twice": (setup, first, first, second, *others),
        "exchanged": (setup, second, first, *others),
    }
    report = verify(msgspec.structs.replace(export, decisions=decisions[wrong]), other_rules(game), material(game))
    assert report.difference is not None and report.difference.code == "disordered"


def test_a_record_of_rules_that_are_newer_asks_for_a_newer_bot(game: AnyGame, export: Export):
    unknown = TAMPERED["an event of no game"](msgspec.structs.replace(export, rules=game.rules_version + 1))
    assert "use a newer Cellblock" in report_text(verify(unknown, game, material(game)))


LEAVES: tuple[Any, ...] = (None, True, -1, 0, 3, 1 << 62, 1 << 70, 1.5, "", "r3", [], [1] * 14, {}, {"event": "begun"})
"""Values that may replace a part of a damaged file."""


def damaged(plain: Any, rng: random.Random) -> Any:
    """Return JSON with one thing in it replaced, left out or doubled."""
    if isinstance(plain, dict) and plain and rng.random() < 0.97:
        key = "events" if "events" in plain and rng.random() < 0.7 else rng.choice(list(plain))
        return {**plain, key: damaged(plain[key], rng)}
    if isinstance(plain, list) and plain and rng.random() < 0.9:
        at = rng.randrange(len(plain))
        if rng.random() < (0.5 if len(plain) < 12 else 0.1):
            return rng.choice(([*plain[:at], *plain[at + 1 :]], [*plain[:at], plain[at], *plain[at:]], plain * 2))
        return [*plain[:at], damaged(plain[at], rng), *plain[at + 1 :]]
    return rng.choice(LEAVES)


KEPT = [path for path in sorted(FOLDER.glob("*/*.json.gz")) if path.parent.name in ("0003", "0017")]


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}-{path.name[:-8]}")
def test_any_damaged_file_ends_in_one_sentence(path: Path):
    body = json.loads(gzip.decompress(path.read_bytes()))
    rng = random.Random(path.name)
    for _ in range(120):
        plain = damaged(body, rng)
        try:
            export = read_export(json.dumps(plain).encode())
            told = report_text(verify(export, GAMES[export.game], material(GAMES[export.game])))
        except (BrokenExport, KeyError) as error:  # the cog reports that there is no such game
            told = str(error)
        assert told and "\n" not in told


def test_a_forecast_with_twice_as_many_boats_ends_in_one_sentence():
    export = read_export(gzip.decompress((FOLDER / "0003" / "ausbrecher.json.gz").read_bytes()))
    for at, event in enumerate(export.events):
        if event["event"] == "forecast":
            events = replaced(export.events, at, {**event, "boats": event["boats"] * 2})
            report = verify(
                msgspec.structs.replace(export, events=events), GAMES["ausbrecher"], material(GAMES["ausbrecher"])
            )
            assert report_text(report).startswith(
                f"This record doesn't follow from its seed. Event {at + 1} is impossible in this game."
            )


@pytest.mark.parametrize("seat", [-1, 99])
def test_an_event_of_a_missing_seat_is_reported_in_every_game(game: AnyGame, export: Export, seat: int):
    at = next(n for n, event in enumerate(export.events) if "seat" in event)
    events = replaced(export.events, at, {**export.events[at], "seat": seat})
    report = verify(msgspec.structs.replace(export, events=events), other_rules(game), material(game))
    assert not report.proved and f"Event {at + 1} names a seat that no one has." in report_text(report)


@pytest.mark.parametrize("body", [b"", b"{}", b"no json", b'{"game": 1}', b"\xff\xfe", b"[]"])
def test_a_file_that_is_no_export_is_reported(body: bytes):
    with pytest.raises(BrokenExport, match="no exported game"):
        read_export(body)


@pytest.mark.parametrize("field", ["", '{"options": ', '{"events": [', '{"game": "rope_wall", "options": {"x": '])
def test_sixty_thousand_nested_brackets_are_reported_in_a_sentence(field: str):
    for bracket in ("[", '{"a":'):
        with pytest.raises(BrokenExport, match="no exported game"):
            read_export((field + bracket * 60_000).encode())
