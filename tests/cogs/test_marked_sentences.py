"""Test that every marked sentence can be extracted for translators and gets the values it names."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from tools.messages import MARKS

COGS = Path(__file__).resolve().parents[2] / "cogs"


def marked(path: Path) -> Iterator[tuple[ast.Call, list[ast.expr]]]:
    """Yield the calls in a module that mark sentences, with the sentences."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS:
            yield node, node.args[: MARKS[node.func.id]]


def names_in(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


@pytest.mark.parametrize("path", sorted(COGS.rglob("*.py")), ids=lambda path: path.relative_to(COGS).as_posix())
def test_every_marked_sentence_is_a_literal_and_gets_exactly_the_values_that_it_names(path: Path):
    wrong = list[str]()
    for call, sentences in marked(path):
        assert isinstance(call.func, ast.Name)
        given = {keyword.arg for keyword in call.keywords}
        for sentence in sentences:
            where = f"{path.name}:{call.lineno}"
            if isinstance(sentence, ast.JoinedStr | ast.BinOp):
                wrong.append(f"{where}: {ast.unparse(sentence)} is no literal")
            if not isinstance(sentence, ast.Constant) or call.func.id == "N_" or not isinstance(sentence.value, str):
                continue
            named = names_in(sentence.value) if given or call.func.id == "ngettext" else set()
            allowed = given | {"n"} if call.func.id == "ngettext" else given
            if None not in given and (not named <= allowed or (call.func.id == "_" and named != allowed)):
                wrong.append(f"{where}: {sentence.value!r} names {sorted(named)}, and gets {sorted(map(str, given))}")
    assert wrong == []
