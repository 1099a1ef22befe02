"""The kinds of puzzles, by the key of their game."""

from engine.puzzles import AnyKind, ausbrecher, break_out, match_five, prison_break, rope_wall

KINDS: dict[str, AnyKind] = {
    kind.game.key: kind
    for kind in (break_out.KIND, ausbrecher.KIND, match_five.KIND, prison_break.KIND, rope_wall.KIND)
}
