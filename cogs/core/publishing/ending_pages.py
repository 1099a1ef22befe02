"""Texts about games that end before their end."""

from cogs.core.pages import display_names
from cogs.core.tables.stored_table import StoredTable
from engine.results import VOID


def result_if_ended(table: StoredTable) -> str:
    """Return the sentence that says what becomes of the result if a table is ended now."""
    if table.row.status == "lobby":
        return "It closes before the game begins."
    results = table.results_if_ended()
    if not results:
        return "The game ends without a result: nothing of it counts."
    certain = sorted((result for result in results if result.reason != VOID), key=lambda result: result.place)
    places = ", ".join(f"{result.place}. {display_names.bold(table.seats[result.seat].name)}" for result in certain)
    if len(certain) == len(results):
        return f"Every place is certain and counts: {places}."
    return f"Places that are certain count: {places}. For everybody else the game ends without a result."
