"""Nim's vocabulary: material, options, actions and events."""

import msgspec

from engine.contract import Action, Delay, Delayed, Event, Expire, Lapsed, Moment, Options, Seat


class Material(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What lies on the table at first, and how many may be taken in a turn."""

    heaps: tuple[int, ...]
    most: int


class NimOptions(Options, frozen=True):
    """Nothing but the turn clock."""


class Take(Action, frozen=True, tag="take"):
    """Take so many from a heap; heaps count from 1."""

    heap: int
    count: int


NimAction = Take | Expire | Delay


class GameBegun(Event, frozen=True, tag="begun"):
    """The heaps lie there, and it is drawn who begins."""

    material: Material
    options: NimOptions
    starter: Seat
    at: Moment


class Taken(Event, frozen=True, tag="taken"):
    """This seat took so many from a heap."""

    seat: Seat
    heap: int
    count: int
    at: Moment


NimEvent = GameBegun | Taken | Lapsed | Delayed
