"""What has been read of the store, by whom or what it is about, until another process has written something else."""

from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Cache(Generic[T]):
    """What is known by the number of a user or a server; `read` reads what is not."""

    def __init__(self, read: Callable[[int], Awaitable[T]]) -> None:
        self._read = read
        self._known: dict[int, T] = {}
        self._forgotten = 0  # how often something was

    async def of(self, number: int) -> T:
        """Return what is known of a user or a server, read if need be. Raises what `read` does."""
        known = self._known.get(number)
        if known is None:
            forgotten = self._forgotten
            read = await self._read(number)
            if forgotten != self._forgotten:
                return read  # it may be read anew at once
            # Something may have been set while we read: what is known by then is newer.
            known = self._known.setdefault(number, read)
        return known

    def set(self, number: int, value: T) -> None:
        """Know this from now on."""
        self._known[number] = value

    def forget(self, number: int | None = None) -> None:
        """Let go of what is known of a user or a server, or of all: it is read again."""
        self._forgotten += 1
        if number is None:
            self._known.clear()
        else:
            self._known.pop(number, None)
