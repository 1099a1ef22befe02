"""Chance: recomputed here with plain HMAC, as anyone who doubts a shuffle can do."""

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import SEED_BYTES, Chance, commitment

SEED = bytes(range(SEED_BYTES))


def words(seed: bytes, table: str, step: int, blocks: int) -> list[int]:
    """Return the 64-bit words of the first blocks, by the definition."""
    stream = b"".join(
        hmac.new(seed, f"{table}/{step}/{block}".encode("ascii"), hashlib.sha256).digest() for block in range(blocks)
    )
    return [int.from_bytes(stream[start : start + 8], "big") for start in range(0, len(stream), 8)]


def test_the_commitment_is_the_seeds_sha_256():
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


def test_the_draws_are_the_words_of_hmac_sha_256_in_order_over_several_blocks():
    chance = Chance(SEED, "kx7", 12)
    assert [chance.below(1 << 64) for _ in range(11)] == words(SEED, "kx7", 12, 3)[:11]


def test_known_answers_stay_the_same_for_good():
    chance = Chance(SEED, "kx7", 12)
    assert [chance.below(100) for _ in range(6)] == [word % 100 for word in words(SEED, "kx7", 12, 2)[:6]]
    assert [Chance(SEED, "kx7", step).roll() for step in range(10)] == [6, 4, 3, 5, 3, 5, 6, 6, 2, 5]
    assert "".join(Chance(SEED, "kx7", 0).shuffled("ABCDEFGH")) == "HGCFEADB"


def test_a_shuffle_is_fisher_yates_from_the_end():
    drawn = iter(words(SEED, "t", 3, 2))
    order = list(range(6))
    for last in (5, 4, 3, 2, 1):
        other = next(drawn) % (last + 1)
        order[last], order[other] = order[other], order[last]
    assert Chance(SEED, "t", 3).shuffled(range(6)) == order


def test_words_that_would_make_small_numbers_likelier_are_skipped():
    bound = (1 << 63) + 1  # nearly half of all words lie in the incomplete last stretch
    kept = [word for word in words(SEED, "t", 0, 8) if word < bound]
    assert 0 < len(kept) < 32
    chance = Chance(SEED, "t", 0)
    assert [chance.below(bound) for _ in kept] == kept


def test_words_of_the_incomplete_last_range_are_skipped(monkeypatch: pytest.MonkeyPatch):
    whole = (1 << 64) - (1 << 64) % 6
    drawn = iter([whole, whole + 3, whole - 1])
    chance = Chance(SEED, "t", 0)
    monkeypatch.setattr(chance, "_word", lambda: next(drawn))
    assert chance.below(6) == 5


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 25, 110])
def test_every_number_below_the_bound_comes_up_about_equally_often(bound: int):
    chance = Chance(SEED, "uniform", bound)
    draws = 400 * bound
    counts = Counter(chance.below(bound) for _ in range(draws))
    assert set(counts) == set(range(bound))
    if bound > 1:
        chi_square = sum((count - 400) ** 2 / 400 for count in counts.values())
        assert chi_square < bound - 1 + 5 * (2 * (bound - 1)) ** 0.5


def test_all_orders_of_three_come_up_about_equally_often():
    chance = Chance(SEED, "orders", 0)
    counts = Counter(tuple(chance.shuffled("abc")) for _ in range(3_000))
    assert len(counts) == 6
    assert all(400 < count < 600 for count in counts.values())


@given(st.integers(1, 1 << 64), st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES), st.text(max_size=8))
@settings(max_examples=100, deadline=None)
def test_a_draw_lies_below_its_bound_and_a_shuffle_loses_nothing(bound: int, seed: bytes, table: str):
    chance = Chance(seed, table, 0)
    assert 0 <= chance.below(bound) < bound
    assert sorted(chance.shuffled(range(20))) == list(range(20))
    assert chance.pick("xyz") in "xyz"
    assert 1 <= chance.roll() <= 6


def test_tables_steps_and_seeds_do_not_share_draws():
    names = [("a", 0), ("a", 1), ("b", 0), ("a/1", 0)]
    first = {Chance(seed, table, step).below(1 << 64) for seed in (SEED, bytes(SEED_BYTES)) for table, step in names}
    assert len(first) == 2 * len(names)


def test_there_is_no_number_below_zero_or_nothing():
    chance = Chance(SEED, "t", 0)
    for bound in (0, -3):
        with pytest.raises(ValueError, match="there is no number"):
            chance.below(bound)
    with pytest.raises(ValueError, match="there is no number"):
        chance.pick([])
    assert chance.shuffled([]) == []


@pytest.mark.parametrize("size", [0, SEED_BYTES - 1, SEED_BYTES + 1])
def test_a_seed_of_another_length_is_refused(size: int):
    with pytest.raises(ValueError, match="32 bytes"):
        Chance(bytes(size), "t", 0)
