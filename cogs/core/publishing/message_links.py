"""The address of a table's message, and a link to it."""

from cogs.core.i18n.translation import _
from cogs.core.pages.display_names import game_title
from cogs.core.tables import lobby
from cogs.core.tables.snapshot import TableSnapshot
from data.store import Store, TableRow


def address(row: TableRow, message: int | None) -> str | None:
    """Return the address of a message of a table; None where there is none."""
    return None if message is None else f"https://discord.com/channels/{row.guild}/{row.channel}/{message}"


def link(row: TableRow) -> str:
    """Return a table by its number, as a link to its message where it has one."""
    return table_link(row.id, address(row, row.message))


def table_link(number: int, where: str | None) -> str:
    """Return a table by its number, as a link to this address if there is one."""
    name = _("table {table}", table=number)
    return name if where is None else f"[{name}]({where})"


def game_link(table: TableSnapshot, where: str | None, number: int | None = None) -> str:
    """Return a table by its game and its number, or another table's, as a link to this address."""
    return _("[{game}, table {table}]({link})", game=game_title(table.game), table=number or table.id, link=where)


def further_down(row: TableRow, message: int | None) -> str:
    """Return what an old message of a table says: that it goes on in this one."""
    where = address(row, message)
    if where is None:
        return f"-# {_('Table {table} continues further down.', table=row.id)}"
    return f"-# {_('Table {table} continues [further down]({link}).', table=row.id, link=where)}"


async def where_found(store: Store, row: TableRow) -> str:
    """Return where people find a table: its number with a link to its message. A rematch without a message is found
    through the game before.
    """
    number = lobby.hidden_rematch_of(row)
    before = None if number is None else await store.tables.get(number)
    return link(row) if before is None else _("the rematch of {table}", table=link(before))
