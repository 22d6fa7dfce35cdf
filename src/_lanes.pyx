# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, embedsignature=False
"""Many games, plain rules: the binding of the lane kernels.

`lanes/lanes.h` says how the kernels play, `lanes/dealing.h` how they are dealt to. Here
are an arena (room for some games and their ends), a dealer, and what connects them.
"""

from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport UINT64_MAX, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

import numpy as np

cdef extern from "numpy/random/bitgen.h":
    ctypedef struct bitgen_t:
        pass

cdef extern from "lanes/lanes.h" nogil:
    const int LANES_MOST_CARDS
    const int LANES_MOST_PENALTIES
    const int LANES_WINNER_SHIFT
    const uint64_t LANES_TOP
    const uint64_t LANES_BY_DEFAULT
    const uint64_t LANES_UNFINISHED
    const int LANES_KERNELS
    ctypedef struct lanes_deals:
        uint64_t* hand[2]
        uint64_t* values[2]
    ctypedef struct lanes_rules:
        uint64_t tribute[4]
    ctypedef void lanes_kernel(
        const lanes_deals*, size_t, const lanes_rules*, uint64_t, uint64_t*
    ) noexcept
    lanes_kernel* lanes_kernel_of(int number)
    const char* lanes_name_of(int number)

cdef extern from "lanes/dealing.h" nogil:
    ctypedef struct lanes_dealer:
        pass
    lanes_dealer* lanes_dealer_new(unsigned cards, unsigned first, const unsigned* counts)
    void lanes_dealer_free(lanes_dealer* dealer)
    void lanes_deal(
        const lanes_dealer* dealer, bitgen_t* bits, size_t games, const lanes_deals* deals
    )
    void lanes_shuffle(bitgen_t* bits, uint8_t* cards, uint32_t n)

cdef extern from "lanes/stepping.h" nogil:
    ctypedef struct lanes_stepper:
        pass
    lanes_stepper* lanes_stepper_new(unsigned cards, unsigned first, const unsigned* counts)
    void lanes_stepper_free(lanes_stepper* stepper)
    void lanes_stepper_set(lanes_stepper* stepper, const uint8_t* deck)
    size_t lanes_step(lanes_stepper* stepper, size_t games, const lanes_deals* deals)
    int lanes_next(uint8_t* cards, size_t n)

cdef extern from "lanes/breeding.h" nogil:
    ctypedef struct lanes_parent:
        uint8_t cards[64]
        uint8_t length
        uint8_t first
        uint8_t missing[5]
    ctypedef struct lanes_habits:
        uint32_t insert_more
        uint32_t swap_none
        uint32_t swap_more
        uint32_t move
        uint32_t cut
    void lanes_breed(
        bitgen_t* bits, const lanes_parent* parents, uint32_t many,
        const lanes_habits* habits, size_t games, const lanes_deals* deals
    )

MOST_CARDS = LANES_MOST_CARDS
MOST_PENALTIES = LANES_MOST_PENALTIES


def kernels():
    """Return the names of the kernels of this machine, the best one last."""
    return tuple([
        (<bytes> lanes_name_of(number)).decode()
        for number in range(LANES_KERNELS)
        if lanes_kernel_of(number) != NULL
    ])


cdef lanes_kernel* kernel_named(str name) except NULL:
    cdef int number
    for number in range(LANES_KERNELS):
        if (<bytes> lanes_name_of(number)).decode() == name:
            if lanes_kernel_of(number) != NULL:
                return lanes_kernel_of(number)
    raise ValueError(f"no kernel {name!r} here: expected {', '.join(kernels())}")


cdef bitgen_t* bits_of(generator) except NULL:
    """Return the C face of a NumPy bit generator, which must outlive its use."""
    return <bitgen_t*> PyCapsule_GetPointer(generator.capsule, "BitGenerator")


cdef int check_deck(int cards, int first, counts) except -1:
    if not (
        2 <= cards <= LANES_MOST_CARDS
        and 0 < first < cards
        and len(counts) == 4
        and min(counts) >= 0
        and sum(counts) <= min(cards, LANES_MOST_PENALTIES)
    ):
        raise ValueError(f"no deck of {cards} cards, {first} to the first hand, {counts}")
    return 0


cdef class Dealer:
    """Deals a deck of kinds: uniform, one deal after another from a bit generator.

    Parameters
    ----------
    cards : int
        How many cards, 2 to `MOST_CARDS`.
    first : int
        How many of them the first hand gets.
    counts : sequence of int
        How many penalty cards there are of each of four codes; `MOST_PENALTIES`
        at most in all.
    """

    cdef lanes_dealer* dealer
    cdef readonly int cards
    cdef readonly int first

    def __cinit__(self, int cards, int first, counts):
        cdef unsigned[4] of
        cdef int code
        check_deck(cards, first, counts)
        for code in range(4):
            of[code] = counts[code]
        self.cards = cards
        self.first = first
        self.dealer = lanes_dealer_new(cards, first, of)
        if self.dealer == NULL:
            raise MemoryError

    def __dealloc__(self):
        lanes_dealer_free(self.dealer)


cdef class Stepper:
    """Deals the arrangements of a deck of kinds in order (`lanes/stepping.h`).

    Parameters
    ----------
    cards, first, counts
        As for `Dealer`.
    """

    cdef lanes_stepper* stepper
    cdef readonly int cards
    cdef readonly int first
    cdef object counts

    def __cinit__(self, int cards, int first, counts):
        cdef unsigned[4] of
        cdef int code
        check_deck(cards, first, counts)
        for code in range(4):
            of[code] = counts[code]
        self.cards = cards
        self.first = first
        self.counts = [cards - sum(counts), *counts]
        self.stepper = lanes_stepper_new(cards, first, of)
        if self.stepper == NULL:
            raise MemoryError

    def __dealloc__(self):
        lanes_stepper_free(self.stepper)

    def set(self, const uint8_t[::1] deck):
        """Go to an arrangement: each card 0 or its code plus one."""
        counts = [bytes(deck).count(symbol) for symbol in range(5)]
        if deck.shape[0] != self.cards or counts != self.counts:
            raise ValueError(f"{bytes(deck)!r} is no arrangement of {self.counts}")
        lanes_stepper_set(self.stepper, &deck[0])


cdef class Parents:
    """States that others are bred from (`lanes/breeding.h`).

    Parameters
    ----------
    states : sequence of (bytes, bytes)
        The leader's hand and the other's, each card 0 or its code plus one.
    deck : sequence of int
        How many cards of each the whole deck has: numerals, then the four codes. What a state
        lacks of it is put in by and by.
    """

    cdef lanes_parent* parents
    cdef readonly int size

    def __cinit__(self, states, deck):
        cdef int n, i
        cdef bytes row
        if not states or sum(deck) > LANES_MOST_CARDS or sum(deck[1:]) > LANES_MOST_PENALTIES:
            raise ValueError(f"{len(states)} states of a deck of {deck}")
        self.size = len(states)
        self.parents = <lanes_parent*> calloc(self.size, sizeof(lanes_parent))
        if self.parents == NULL:
            raise MemoryError
        for n, (leader, other) in enumerate(states):
            row = leader + other
            lacks = [deck[code] - row.count(code) for code in range(5)]
            if min(lacks) < 0 or not leader or not other or len(row) != sum(deck) - sum(lacks):
                raise ValueError(f"{leader!r} and {other!r} are not of a deck of {deck}")
            for i in range(len(row)):
                self.parents[n].cards[i] = row[i]
            self.parents[n].length = <uint8_t> len(row)
            self.parents[n].first = <uint8_t> len(leader)
            for i in range(5):
                self.parents[n].missing[i] = lacks[i]

    def __dealloc__(self):
        free(self.parents)


cdef class Arena:
    """Room for some games: their hands as words, and how each ended.

    Parameters
    ----------
    size : int
        The most games at a time.
    """

    cdef readonly object ends
    cdef uint64_t[:, ::1] words
    cdef uint64_t[::1] end
    cdef lanes_deals deals
    cdef readonly int size

    def __cinit__(self, int size):
        cdef int seat
        self.size = size
        # A kernel may read eight words beyond the last game.
        self.words = np.zeros((4, size + 8), dtype=np.uint64)
        self.ends = np.zeros(size, dtype=np.uint64)
        self.end = self.ends
        for seat in range(2):
            self.deals.hand[seat] = &self.words[seat, 0]
            self.deals.values[seat] = &self.words[2 + seat, 0]

    cdef int check(self, Py_ssize_t games) except -1:
        if not 0 <= games <= self.size:
            raise ValueError(f"{games} games in an arena of {self.size}")
        return 0

    def deal(self, Dealer dealer not None, generator, int skip, int games):
        """Deal, dropping the first *skip* deals of the generator."""
        cdef bitgen_t* bits = bits_of(generator)
        cdef int part
        self.check(games)
        with nogil:
            while skip > 0:
                part = min(skip, self.size)
                lanes_deal(dealer.dealer, bits, part, &self.deals)
                skip -= part
            lanes_deal(dealer.dealer, bits, games, &self.deals)

    def step(self, Stepper stepper not None, int games):
        """Deal the next arrangements, up to *games*; return how many there were."""
        cdef size_t dealt
        self.check(games)
        with nogil:
            dealt = lanes_step(stepper.stepper, games, &self.deals)
        return dealt

    def breed(self, Parents parents not None, generator, habits, int games):
        """Make children of parents; *habits* are those of `lanes/breeding.h`, in order."""
        cdef bitgen_t* bits = bits_of(generator)
        cdef lanes_habits of
        self.check(games)
        if max(habits) > 255 or min(habits) < 0:
            raise ValueError(f"{habits}: expected 0 to 255")
        of.insert_more, of.swap_none, of.swap_more, of.move, of.cut = habits
        with nogil:
            lanes_breed(bits, parents.parents, parents.size, &of, games, &self.deals)

    def hands(self, int game):
        """Return the hands of a game as they were dealt: each card 0 or its code plus one."""
        cdef int seat, held, at
        cdef uint64_t mask, values
        self.check(game + 1)
        told = []
        for seat in range(2):
            mask, values = self.words[seat, game], self.words[2 + seat, game]
            # The sentinel is the last one.
            held = 63
            while not mask >> (63 - held) & 1:
                held -= 1
            row = bytearray(held)
            for at in range(held):
                if mask & LANES_TOP:
                    row[at] = <uint8_t> ((values >> 62) + 1)
                    values <<= 2
                mask <<= 1
            told.append(bytes(row))
        return tuple(told)

    def load(self, const uint8_t[:, ::1] dealt, int first):
        """Take ready deals: one row a game, each card 0 or its code plus one.

        The first *first* cards of a row are hand 0, top card first.
        """
        cdef Py_ssize_t i, games = dealt.shape[0]
        cdef int at, cards = <int> dealt.shape[1], seat, held, values
        cdef uint64_t mask, value
        self.check(games)
        if cards > LANES_MOST_CARDS or not 0 < first < cards:
            raise ValueError(f"{cards} cards, {first} to the first hand")
        with nogil:
            for i in range(games):
                at = 0
                for seat in range(2):
                    mask = value = 0
                    held = values = 0
                    while at < (first if seat == 0 else cards):
                        if dealt[i, at]:
                            mask |= LANES_TOP >> held
                            value |= (<uint64_t> ((dealt[i, at] - 1) & 3) << 62) >> (2 * values)
                            values += 1
                        held += 1
                        at += 1
                    self.words[seat, i] = mask | (LANES_TOP >> held)
                    self.words[2 + seat, i] = value

    def play(self, str kernel not None, int games, tributes, uint64_t cut_off):
        """Play the first *games* games; a code demands what *tributes* says of it."""
        cdef lanes_kernel* of = kernel_named(kernel)
        cdef lanes_rules rules
        cdef int code
        self.check(games)
        for code in range(4):
            rules.tribute[code] = tributes[code]
        with nogil:
            of(&self.deals, games, &rules, cut_off, &self.end[0])

    def dealt(self, int start, int games, int cards, int first):
        """Return *games* deals from *start* on as rows of codes plus one, as for `load`."""
        cdef int i, at, _held, seat
        cdef uint64_t mask, value
        self.check(start + games)
        rows = np.zeros((games, cards), dtype=np.uint8)
        cdef uint8_t[:, ::1] row = rows
        with nogil:
            for i in range(games):
                at = 0
                for seat in range(2):
                    mask = self.words[seat, start + i]
                    value = self.words[2 + seat, start + i]
                    for _held in range(first if seat == 0 else cards - first):
                        if mask & LANES_TOP:
                            row[i, at] = <uint8_t> ((value >> 62) + 1)
                            value <<= 2
                        mask <<= 1
                        at += 1
        return rows


def shuffled(generator, const uint8_t[::1] deck, int skip, int games):
    """Return shuffled decks, one row a game, dropping the first *skip* shuffles."""
    cdef bitgen_t* bits = bits_of(generator)
    cdef uint32_t cards = <uint32_t> deck.shape[0]
    cdef uint32_t at
    cdef int i, into
    rows = np.empty((max(games, 1), cards), dtype=np.uint8)
    cdef uint8_t[:, ::1] row = rows
    with nogil:
        for i in range(skip + games):
            into = max(i - skip, 0)
            for at in range(cards):
                row[into, at] = deck[at]
            lanes_shuffle(bits, &row[into, 0], cards)
    return rows[:games]


def arranged(const uint8_t[::1] deck, int games):
    """Return arrangements in order, one row each: *deck*, the next, and so on; fewer at the end."""
    cdef uint32_t cards = <uint32_t> deck.shape[0]
    cdef uint32_t at
    cdef int i, made = 0
    rows = np.empty((max(games, 1), cards), dtype=np.uint8)
    cdef uint8_t[:, ::1] row = rows
    with nogil:
        for i in range(games):
            for at in range(cards):
                row[i, at] = deck[at] if i == 0 else row[i - 1, at]
            if i and not lanes_next(&row[i, 0], cards):
                break
            made += 1
    return rows[:made]


cdef inline uint64_t cards_of(uint64_t end) noexcept nogil:
    return (end << 32) >> 32


cdef inline uint64_t tricks_of(uint64_t end) noexcept nogil:
    return (end << 8) >> 40


def extremes(const uint64_t[::1] ends):
    """Return the most cards, the most tricks and the number of games unfinished."""
    cdef uint64_t cards = 0, tricks = 0, unfinished = 0, end
    cdef Py_ssize_t i
    with nogil:
        for i in range(ends.shape[0]):
            end = ends[i]
            if end & LANES_UNFINISHED:
                unfinished += 1
                continue
            cards = max(cards, cards_of(end))
            tricks = max(tricks, tricks_of(end))
    return cards, tricks, unfinished


def tally(
    const uint64_t[::1] ends,
    int64_t[::1] cards,
    int64_t[::1] tricks,
    int64_t[::1] wins,
):
    """Count the finished games: by cards, by tricks, and by the winner's seat.

    Returns how many there are, how many ended by default, and the places of the
    longest and the shortest, the first of equals; -1 if none is finished.
    """
    cdef Py_ssize_t i, longest = -1, shortest = -1
    cdef uint64_t end, turned, most = 0, least = UINT64_MAX
    cdef int64_t games = 0, by_default = 0
    with nogil:
        for i in range(ends.shape[0]):
            end = ends[i]
            if end & LANES_UNFINISHED:
                continue
            turned = cards_of(end)
            cards[<Py_ssize_t> turned] += 1
            tricks[<Py_ssize_t> tricks_of(end)] += 1
            wins[<Py_ssize_t> ((end >> LANES_WINNER_SHIFT) & 1)] += 1
            by_default += (end & LANES_BY_DEFAULT) != 0
            games += 1
            if turned > most:
                most = turned
                longest = i
            if turned < least:
                least = turned
                shortest = i
    return games, by_default, longest, shortest
