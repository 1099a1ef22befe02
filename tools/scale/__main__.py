"""Print what more servers need, or write it to docs/scale.md between two marks: `python -m tools.scale [--write]`."""

import argparse
import sys
from pathlib import Path

from tools.scale.figures import ALL
from tools.scale.growth import CALLS, COMMITS, Growth, grown, most_servers

SIZES = (1_000, 10_000, 100_000, 1_000_000)
PAGE = Path(__file__).resolve().parents[2] / "docs" / "scale.md"
BEGIN, END = "<!-- make simulate -->\n", "<!-- end of make simulate -->\n"


def row(name: str, words: list[str]) -> str:
    """Return a row of a Markdown table."""
    return f"| {name} | {' | '.join(words)} |\n"


def seconds(spent: float) -> str:
    """Describe a duration."""
    if not spent:
        return "at once"
    return f"{spent * 1_000:.0f} ms" if spent < 1 else f"{spent:.0f} s" if spent < 90 else f"{spent / 60:.0f} min"


def waiting(one: Growth) -> str:
    """Describe the waits of a counted call, and how many calls are spared."""
    words = seconds(one.call_waits.p95)
    return f"{words}, {one.call_waits.spared:.0%} spared" if one.call_waits.spared >= 0.005 else words


def table(sizes: tuple[int, ...] = SIZES) -> str:
    """Return the whole table, and the sizes at which the two limits are reached."""
    all_of = [grown(servers) for servers in sizes]
    lines = [
        row("servers", [f"{one.servers:,}" for one in all_of]),
        row("---", ["---:"] * len(all_of)),
        row("running tables", [f"{one.tables:,.0f}" for one in all_of]),
        row("moves a second", [f"{one.moves:,.1f}" for one in all_of]),
        row("processes", [f"{one.processes:,}" for one in all_of]),
        row("shards", [f"{one.shards:,}" for one in all_of]),
        row("memory of a process", [f"{one.memory_bytes / 2**20:,.0f} MiB" for one in all_of]),
        row("connections to PostgreSQL", [f"{one.connections:,}" for one in all_of]),
        row("commits a second", [f"{one.commits:,.0f}" for one in all_of]),
        row("the database grows, a day", [f"{one.stored_bytes_a_day / 2**30:,.2f} GiB" for one in all_of]),
        row("answers and edits by token, a second", [f"{one.answers:,.0f}" for one in all_of]),
        row("counted calls a second, of 50", [f"{one.calls:,.1f}" for one in all_of]),
        row("a counted call waits, p95", [waiting(one) for one in all_of]),
        row("a click is answered after, p95", [seconds(one.click_waits.p95) for one in all_of]),
        row("all shards are back after", [seconds(one.identified_s) for one in all_of]),
        row("restarts of everything a day", [f"{one.restarts_a_day:,}" for one in all_of]),
        row("used most", [f"{one.first}: {one.used[one.first]:.0%}" for one in all_of]),
    ]
    limits = "".join(f"- {what} are used up on {most_servers(what):,} servers.\n" for what in (CALLS, COMMITS))
    return f"{''.join(lines)}\n{limits}"


def sources() -> str:
    """Return the source of every figure."""
    lines = [row("figure", ["value", "from"]), row("---", ["---:", "---"])]
    lines += [row(name, [f"{each.value:,g} {each.unit}", f"{each.kind}: {each.source}"]) for name, each in ALL.items()]
    return "".join(lines)


def written(page: str) -> str:
    """Return a page with everything between its two marks regenerated. Raises ValueError for a page without them."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("the page has no marks")
    return f"{before}{BEGIN}\n{table()}\n{sources()}\n{END}{after}"


def main() -> None:
    """Read the command line, and print or write."""
    parser = argparse.ArgumentParser(prog="python -m tools.scale", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the tables of docs/scale.md")
    if parser.parse_args().write:
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        sys.stdout.write(f"{table()}\n{sources()}")


if __name__ == "__main__":
    main()
