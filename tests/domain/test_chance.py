"""Chance: decided by seed and label alone, and no number likelier than another."""

import hmac
import math
from collections import Counter
from itertools import permutations

import pytest

from domain.chance import SEED_BYTES, RepeatedLabelError, SeededChance, Stream, shuffled

SEED = bytes(range(SEED_BYTES))
KNOWN_SHUFFLE = (7, 6, 1, 4, 0, 3, 8, 5, 9, 2)
KNOWN_DICE = [2, 6, 2, 3, 6, 1, 3, 3, 2, 3, 5, 5]


def chi_square(counts: Counter[object], cells: int) -> bool:
    """Whether counts of equally likely things are as even as they should be (four standard deviations)."""
    expected: float = sum(counts.values()) / cells
    missing = cells - len(counts)
    statistic: float = sum((n - expected) ** 2 for n in counts.values()) / expected + missing * expected
    return statistic < cells - 1 + 4 * math.sqrt(2 * (cells - 1))


def test_a_stream_is_hmac_sha_256() -> None:
    """Its bits are those of HMAC-SHA-256 over label and block number, from the first bit on."""
    stream = Stream(SEED, "supply:2")
    block = b"".join(hmac.digest(SEED, b"supply:2/%d" % n, "sha256") for n in range(2))
    assert bytes(stream.below(256) for _ in range(64)) == block


def test_known_answers() -> None:
    """These draws were made when the first tables were; if they change, stored games can't be checked any more."""
    assert SeededChance(SEED).shuffle("supply:2", range(10)) == KNOWN_SHUFFLE
    stream = Stream(SEED, "dice")
    assert [stream.below(6) + 1 for _ in range(12)] == KNOWN_DICE


def test_numbers_beyond_the_bound_are_thrown_away() -> None:
    """For three, two bits are taken at a time, and a 3 is followed by the next two."""
    bits, three = Stream(SEED, "reject"), Stream(SEED, "reject")
    taken = [number for number in (bits.below(4) for _ in range(400)) if number < 3]
    assert 3 not in taken
    assert [three.below(3) for _ in taken] == taken


def test_one_possibility_takes_no_bits() -> None:
    """Where there is nothing to choose, the stream does not move."""
    stream, other = Stream(SEED, "one"), Stream(SEED, "one")
    assert [stream.below(1) for _ in range(5)] == [0] * 5
    assert stream.below(1000) == other.below(1000)


def test_no_possibility_is_an_error() -> None:
    """There is no number below 0; asking for one must not search forever."""
    with pytest.raises(ValueError, match="no number"):
        Stream(SEED, "none").below(0)


def test_numbers_may_be_larger_than_a_block() -> None:
    """Counts of answers have hundreds of bits."""
    stream, other = Stream(SEED, "big"), Stream(SEED, "big")
    assert stream.below(2**600) == sum(other.below(2**200) << shift for shift in (400, 200, 0))


@pytest.mark.parametrize("bound", [2, 3, 6, 7, 100])
def test_numbers_are_equally_likely(bound: int) -> None:
    """Every number below a bound comes as often as any other."""
    stream = Stream(SEED, f"uniform:{bound}")
    assert chi_square(Counter(stream.below(bound) for _ in range(60 * bound)), bound)


def test_orders_are_equally_likely() -> None:
    """Every order of four things comes as often as any other."""
    stream = Stream(SEED, "orders")
    counts: Counter[object] = Counter(shuffled("abcd", stream) for _ in range(2400))
    assert set(counts) == set(permutations("abcd"))
    assert chi_square(counts, 24)


def test_a_draw_depends_on_seed_and_label_alone() -> None:
    """What was drawn before does not matter; another label or another seed does."""
    one, other = SeededChance(SEED), SeededChance(SEED)
    first = (one.shuffle("a", range(20)), one.shuffle("b", range(20)))
    assert (other.shuffle("b", range(20)), other.shuffle("a", range(20))) == first[::-1]
    assert first[0] != first[1]
    assert SeededChance(bytes(SEED_BYTES)).shuffle("a", range(20)) != first[0]


def test_labels_do_not_run_into_block_numbers() -> None:
    """A label that ends like a block number is another label still."""
    assert Stream(SEED, "a").below(2**256) != Stream(SEED, "a/0").below(2**256)


def test_a_label_is_used_once() -> None:
    """A second draw under a label would repeat the first, so it is refused; what was drawn is remembered."""
    chance = SeededChance(SEED)
    chance.shuffle("supply:1", "abc")
    with pytest.raises(RepeatedLabelError, match="supply:1"):
        chance.shuffle("supply:1", "abc")
    assert chance.labels == ["supply:1"]


def test_shuffling_keeps_every_thing() -> None:
    """Nothing is lost or gained, whatever is shuffled, also nothing at all."""
    chance = SeededChance(SEED)
    assert sorted(chance.shuffle("deck", "hello")) == sorted("hello")
    assert chance.shuffle("empty", ()) == ()
