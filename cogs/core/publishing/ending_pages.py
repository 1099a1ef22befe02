"""Texts about games that end before their end."""

from cogs.core.i18n.translation import _
from cogs.core.pages import display_names
from cogs.core.tables.stored_table import StoredTable
from engine.results import VOID


def result_if_ended(table: StoredTable) -> str:
    """Return the sentence that says what becomes of the result if a table is ended now."""
    if table.row.status == "lobby":
        return _("It closes before the game starts.")
    results = table.results_if_ended()
    if not results:
        return _("The game ends without a result.")
    certain = sorted((result for result in results if result.reason != VOID), key=lambda result: result.place)
    places = ", ".join(f"{result.place}. {display_names.bold(table.seats[result.seat].name)}" for result in certain)
    if len(certain) == len(results):
        return _("All places are decided: {places}.", places=places)
    return _("Places already decided: {places}. For everyone else the game ends without a result.", places=places)
