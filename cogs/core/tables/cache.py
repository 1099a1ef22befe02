"""A cache of what was read from the store about a user or a server, until another process changes it."""

from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Cache(Generic[T]):
    """Values by the id of a user or a server; `read` reads a missing one."""

    def __init__(self, read: Callable[[int], Awaitable[T]]) -> None:
        self._read = read
        self._values: dict[int, T] = {}
        self._forgotten = 0  # how often something was

    async def of(self, number: int) -> T:
        """Return what is known of a user or a server, read if need be. Raises what `read` does."""
        known = self._values.get(number)
        if known is None:
            forgotten = self._forgotten
            read = await self._read(number)
            if forgotten != self._forgotten:
                return read  # it may be read again at once
            # Something may have been set while we read: what is known by then is newer.
            known = self._values.setdefault(number, read)
        return known

    def set(self, number: int, value: T) -> None:
        """Know this from now on."""
        self._values[number] = value

    def forget(self, number: int | None = None) -> None:
        """Drop the value of a user or a server, or all: it is read again."""
        self._forgotten += 1
        if number is None:
            self._values.clear()
        else:
            self._values.pop(number, None)
