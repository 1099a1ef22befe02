"""Nim's rules, as one value of the contract."""

from engine.contract import Game
from tests.sixth.rules.decide import deadlines, decide, setup
from tests.sixth.rules.evolve import evolve
from tests.sixth.rules.pieces import Material, NimAction, NimEvent, NimOptions
from tests.sixth.rules.state import State, census
from tests.sixth.rules.view import NimView, legal, outcome, view

GAME = Game[State, NimAction, NimEvent, NimView, NimOptions, Material](
    key="nim",
    title="Nim",
    seats=range(2, 3),
    options=NimOptions,
    material=Material,
    actions=NimAction,
    events=NimEvent,
    views=NimView,
    setup=setup,
    decide=decide,
    evolve=evolve,
    legal=legal,
    view=view,
    deadlines=deadlines,
    outcome=outcome,
    census=census,
    fewest=True,
    draws={"begun": ("starter",)},
)
