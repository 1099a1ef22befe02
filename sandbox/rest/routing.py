"""Finding the handler of a path."""

from __future__ import annotations

from collections.abc import Iterable

from .call import Handler, Route


class _Node:
    __slots__ = ("handlers", "literal", "name", "parameter")

    def __init__(self) -> None:
        self.literal: dict[str, _Node] = {}
        self.parameter: _Node | None = None
        self.name = ""
        self.handlers: dict[str, tuple[str, Handler]] = {}


class Routes:
    """A tree of path segments; literal segments take precedence over parameters."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._root = _Node()
        for method, template, handler in routes:
            node = self._root
            for segment in template.strip("/").split("/"):
                if segment.startswith("{"):
                    if node.parameter is None:
                        node.parameter = _Node()
                        node.parameter.name = segment[1:-1]
                    node = node.parameter
                else:
                    node = node.literal.setdefault(segment, _Node())
            node.handlers[method] = (template, handler)

    def find(self, method: str, path: str) -> tuple[str, Handler, dict[str, str]] | None:
        """Return template, handler and parameters of a path, or None if there is no such route."""
        return self._find(self._root, method, path.strip("/").split("/"), 0)

    def _find(
        self, node: _Node, method: str, segments: list[str], at: int
    ) -> tuple[str, Handler, dict[str, str]] | None:
        if at == len(segments):
            found = node.handlers.get(method)
            return None if found is None else (*found, {})
        literal = node.literal.get(segments[at])
        if literal is not None:
            result = self._find(literal, method, segments, at + 1)
            if result is not None:
                return result
        if node.parameter is not None and segments[at]:
            result = self._find(node.parameter, method, segments, at + 1)
            if result is not None:
                result[2].setdefault(node.parameter.name, segments[at])
                return result
        return None
