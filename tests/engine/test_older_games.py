"""Games of earlier rules keep the options they were played with, including options that did not exist yet."""

import gzip
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.chance import SEED_BYTES, Chance
from engine.contract import AnyGame, to_json
from engine.export import Export, read_export
from engine.games import GAMES
from engine.verify import verify
from tools.harness.playouts import material
from tools.versions import FOLDER

EACH_OLDER_OPTION = pytest.mark.parametrize(
    ("key", "option", "value"),
    [
        ("break_out", "interludes", "off"),
        ("break_out", "hints", "on"),
        ("break_out", "wrong_call", "free"),
        ("prison_break", "interludes", "off"),
        ("rope_wall", "interludes", "off"),
        ("rope_wall", "doubles", "apart"),
        ("rope_wall", "push_limit", "80"),
    ],
)


def kept(version: str, key: str) -> Export:
    """Return an export that an earlier version of the bot wrote."""
    return read_export(gzip.decompress((FOLDER / version / f"{key}.json.gz").read_bytes()))


def first_event_without(game: AnyGame, option: str) -> bytes:
    """Return the first event of a stored game without an option, as earlier versions stored it."""
    (newest, *_) = sorted((path.name for path in Path(FOLDER).iterdir() if path.name.isdecimal()), reverse=True)
    event: dict[str, Any] = dict(kept(newest, game.key).events[0])
    event["options"] = {name: value for name, value in event["options"].items() if name != option}
    return json.dumps(event).encode()


@EACH_OLDER_OPTION
def test_an_option_that_an_old_game_lacks_has_the_value_of_its_rules_version(key: str, option: str, value: str):
    game = GAMES[key]
    assert getattr(game.read_event(first_event_without(game, option)).options, option) == value
    assert getattr(game.read_options(b"{}"), option) == value


@EACH_OLDER_OPTION
def test_an_option_in_a_games_record_keeps_its_value_at_any_age(key: str, option: str, value: str):
    game = GAMES[key]
    (field,) = [field for field in msgspec.structs.fields(game.options) if field.name == option]
    kind = msgspec.inspect.type_info(field.type)
    assert isinstance(kind, msgspec.inspect.Metadata) and isinstance(kind.type, msgspec.inspect.LiteralType)
    for chosen in kind.type.values:
        options = msgspec.convert({option: chosen}, game.options)
        assert getattr(game.read_options(to_json(options)), option) == chosen


def test_two_players_whose_material_lacks_their_number_of_turns_have_25_turns_each():
    export, game = kept("0017", "ausbrecher"), GAMES["ausbrecher"]
    assert "turns_each_of_two" not in export.events[0]["material"]
    old = game.read_event(json.dumps({**export.events[0], "seats": 2}).encode())
    assert game.view(game.fold([old]), None).turns_left == 50
    new = game.setup(2, game.options(), material(game), old.at, Chance(bytes(SEED_BYTES), "t", 0))
    assert game.view(game.fold(new), None).turns_left == 70
    report = verify(export, game, material(game))
    assert report.proved and report.other is None, report.difference


@pytest.mark.parametrize("version", ["0003", "0007", "0008", "0017"])
@pytest.mark.parametrize("key", ["rope_wall", "prison_break"])
def test_a_game_is_proved_altogether_where_later_rules_differ_only_in_options(key: str, version: str):
    export, game = kept(version, key), GAMES[key]
    report = verify(export, game, material(game))
    assert report.proved and report.other is None, report.difference
