"""The address of a table's message, and a link to it."""

from data.store import TableRow


def address(row: TableRow, message: int | None) -> str | None:
    """Return the address of a message of a table; None where there is none."""
    return None if message is None else f"https://discord.com/channels/{row.guild}/{row.channel}/{message}"


def link(row: TableRow) -> str:
    """Return a table by its number, as a link to its message where it has one."""
    where = address(row, row.message)
    return f"table {row.id}" if where is None else f"[table {row.id}]({where})"


def further_down(row: TableRow, message: int | None) -> str:
    """Return what an old message of a table says: that it goes on in this one."""
    where = address(row, message)
    return f"-# Table {row.id} goes on " + ("further down." if where is None else f"[further down]({where}).")
