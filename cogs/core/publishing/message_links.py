"""The address of a table's message, and a link to it."""

from cogs.core.i18n.translation import _
from data.store import TableRow


def address(row: TableRow, message: int | None) -> str | None:
    """Return the address of a message of a table; None where there is none."""
    return None if message is None else f"https://discord.com/channels/{row.guild}/{row.channel}/{message}"


def link(row: TableRow) -> str:
    """Return a table by its number, as a link to its message where it has one."""
    where, name = address(row, row.message), _("table {table}", table=row.id)
    return name if where is None else f"[{name}]({where})"


def further_down(row: TableRow, message: int | None) -> str:
    """Return what an old message of a table says: that it goes on in this one."""
    where = address(row, message)
    if where is None:
        return f"-# {_('Table {table} continues further down.', table=row.id)}"
    return f"-# {_('Table {table} continues [further down]({link}).', table=row.id, link=where)}"
