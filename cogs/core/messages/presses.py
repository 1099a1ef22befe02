"""Presses that are being served: meanwhile the message that was pressed is left to the answer.

May import the standard library only.
"""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator


class Presses:
    """Whose presses are being served; `done` hears of each user whose last one is."""

    def __init__(self, done: Callable[[int], None]) -> None:
        self._done = done
        self._served: Counter[int] = Counter()

    def __contains__(self, user: int) -> bool:
        return user in self._served

    @contextlib.contextmanager
    def serving(self, user: int) -> Iterator[None]:
        """Count one as served for so long."""
        self._served[user] += 1
        try:
            yield
        finally:
            self._served[user] -= 1
            if not self._served[user]:
                del self._served[user]
                self._done(user)
