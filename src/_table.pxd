# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The table of the core, and the rules: what `_core.pyx` describes, in typed C.

Nothing here knows of Python objects, save that memory may run out. It imports
nothing of the package.
"""

from cpython.mem cimport PyMem_RawMalloc
from libc.stdint cimport UINT64_MAX, int32_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

ctypedef uint32_t card_t

cdef enum:
    TRIBUTE = 15
    JOKER = 16
    KIND = 31
    LABEL_SHIFT = 5
    MOST_SEATS = 6
    MOST_CARDS = 65_535
    NOBODY = -1
    # Room behind each ring and the pile, for copies of a fixed size.
    SLACK = 8

cdef enum Unpaid:
    LAPSES
    PASSES_ON
    COLLECTS

cdef enum JokerRule:
    SUPER
    BEGGAR
    GRAB

cdef enum What:
    TURNED
    DEMANDED
    PAID
    LAPSED
    TAKEN
    SHUFFLED
    OUT
    LOOP
    LIMIT
    OVER

cdef struct spec_t:
    # The rules as the table reads them.
    bint on_empty
    bint shuffle_pile
    bint lead_loser
    bint reversed
    bint until_penalty
    Unpaid unpaid
    JokerRule joker
    # The bits of a card that tell it from others in a state.
    card_t identity

cdef struct table_t:
    spec_t spec
    # Where another thread tells that play is to stop, or NULL.
    const bint* stopped
    uint64_t seed
    uint64_t cards
    uint64_t tricks
    uint64_t penalties
    size_t bytes
    uint32_t head[MOST_SEATS]
    uint32_t tail[MOST_SEATS]
    # The next seat clockwise that is in.
    int32_t after[MOST_SEATS]
    bint gone[MOST_SEATS]
    int32_t out[MOST_SEATS]
    int32_t waiting[MOST_SEATS]
    uint32_t mask
    uint32_t ring_size
    uint32_t piled
    uint32_t due
    uint32_t chain
    # The last trick: who took it and how many cards went under.
    uint32_t taken
    int32_t taker
    int32_t seats
    int32_t turn
    int32_t claimant
    int32_t outs
    int32_t waits
    bint begging
    bint by_default
    bint over
    # Whether `race` knows all the rules that matter here.
    bint plain

cdef struct note_t:
    # An event before it is a Python object.
    What what
    int32_t seat
    int32_t other
    card_t card
    uint64_t a
    uint64_t b

cdef enum:
    # A card is turned, a claim made and lapsed, a trick paid and taken twice
    # with shuffles, five go out, a loop, another shuffle, the end.
    MOST_NOTES = 24

cdef struct log_t:
    int32_t written
    int32_t read
    note_t notes[MOST_NOTES]


# -- A table ---------------------------------------------------------------------

cdef inline card_t* ring(table_t* t, int32_t seat) noexcept nogil:
    return <card_t*> (t + 1) + seat * (t.ring_size + SLACK)


cdef inline card_t* pile_of(table_t* t) noexcept nogil:
    return <card_t*> (t + 1) + t.seats * (t.ring_size + SLACK)


cdef inline uint32_t held(const table_t* t, int32_t seat) noexcept nogil:
    return t.tail[seat] - t.head[seat]


cdef inline table_t* new_table(int32_t seats, uint32_t cards) except NULL:
    cdef uint32_t ring_size = 16
    cdef size_t size
    cdef table_t* t
    while ring_size < cards + SLACK:
        ring_size *= 2
    size = seats * (<size_t> ring_size + SLACK) + cards + SLACK
    size = sizeof(table_t) + size * sizeof(card_t)
    t = <table_t*> PyMem_RawMalloc(size)
    if t == NULL:
        raise MemoryError
    memset(t, 0, sizeof(table_t))
    t.bytes = size
    t.seats = seats
    t.ring_size = ring_size
    t.mask = ring_size - 1
    t.claimant = NOBODY
    return t


cdef inline void clear(table_t* t) noexcept nogil:
    """Take everything off a table, to lay another deal of as many cards."""
    cdef int32_t seat
    t.cards = t.tricks = t.penalties = 0
    t.piled = t.due = t.chain = t.taken = 0
    t.turn = t.taker = t.outs = t.waits = 0
    t.claimant = NOBODY
    t.begging = t.by_default = t.over = False
    for seat in range(MOST_SEATS):
        t.head[seat] = t.tail[seat] = 0
        t.gone[seat] = False


cdef inline table_t* clone(const table_t* t) except NULL:
    cdef table_t* twin = <table_t*> PyMem_RawMalloc(t.bytes)
    if twin == NULL:
        raise MemoryError
    memcpy(twin, t, t.bytes)
    return twin


cdef inline void note(
    log_t* log, What what, int32_t seat, int32_t other, card_t card, uint64_t a, uint64_t b
) noexcept nogil:
    cdef note_t* n
    if log != NULL:
        n = &log.notes[log.written]
        log.written += 1
        n.what = what
        n.seat = seat
        n.other = other
        n.card = card
        n.a = a
        n.b = b


cdef inline int32_t left_of(const table_t* t, int32_t seat) noexcept nogil:
    return 0 if seat + 1 == t.seats else seat + 1


cdef inline void link_seats(table_t* t) noexcept nogil:
    """Set who is next, for the seats that are in."""
    cdef int32_t seat, other
    for seat in range(t.seats):
        other = left_of(t, seat)
        while t.gone[other] and other != seat:
            other = left_of(t, other)
        t.after[seat] = other


cdef inline uint64_t mixed(uint64_t word) noexcept nogil:
    word = (word ^ (word >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    word = (word ^ (word >> 27)) * <uint64_t> 0x94D049BB133111EB
    return word ^ (word >> 31)


cdef inline void shuffle(
    card_t* cards, uint32_t start, uint32_t n, uint32_t mask, uint64_t seed, uint64_t trick
) noexcept nogil:
    """Shuffle *n* cards from place *start* of a ring, as `reference.shuffle` says."""
    cdef uint64_t state = mixed(mixed(seed) + trick)
    cdef uint64_t drawn
    cdef uint32_t last, one, other
    cdef card_t kept
    for last in range(n - 1, 0, -1):
        while True:
            state += <uint64_t> 0x9E3779B97F4A7C15
            drawn = mixed(state)
            # -c % c is 2**64 % c; the draws that would bias the rest are the topmost.
            if drawn <= UINT64_MAX - (<uint64_t> 0 - (last + 1)) % (last + 1):
                break
        one = (start + last) & mask
        other = (start + <uint32_t> (drawn % (last + 1))) & mask
        kept = cards[one]
        cards[one] = cards[other]
        cards[other] = kept


# -- The rules ---------------------------------------------------------------------

cdef inline void collect(table_t* t, int32_t seat, bint by_default, log_t* log) noexcept nogil:
    """Put the pile under the hand of *seat*."""
    cdef card_t* pile = pile_of(t)
    cdef card_t* hand = ring(t, seat)
    cdef uint32_t at = t.tail[seat]
    cdef uint32_t n = t.piled
    cdef uint32_t place = at & t.mask
    cdef uint32_t i
    cdef int32_t k
    if t.spec.reversed:
        for i in range(n):
            hand[(at + i) & t.mask] = pile[n - 1 - i]
    elif place + n <= t.ring_size:
        memcpy(hand + place, pile, n * sizeof(card_t))
    else:
        i = t.ring_size - place
        memcpy(hand + place, pile, i * sizeof(card_t))
        memcpy(hand, pile + i, (n - i) * sizeof(card_t))
    if t.spec.shuffle_pile:
        shuffle(hand, at, n, t.mask, t.seed, t.tricks)
        note(log, SHUFFLED, seat, 0, 0, n, 0)
    t.tail[seat] = at + n
    t.piled = 0
    for k in range(t.waits):
        if t.waiting[k] == seat:
            t.waits -= 1
            while k < t.waits:
                t.waiting[k] = t.waiting[k + 1]
                k += 1
            break
    t.claimant = NOBODY
    t.due = 0
    t.chain = 0
    t.begging = False
    t.tricks += 1
    t.by_default = by_default
    t.taker = seat
    t.taken = n
    note(log, TAKEN, seat, by_default, 0, n, t.tricks)


cdef inline bint goes_out(table_t* t, int32_t seat, log_t* log) noexcept nogil:
    """*seat* is out; tell whether one player is left, who then takes the pile."""
    cdef int32_t k, keep = 0
    t.gone[seat] = True
    t.out[t.outs] = seat
    t.outs += 1
    for k in range(t.waits):
        if t.waiting[k] != seat:
            t.waiting[keep] = t.waiting[k]
            keep += 1
    t.waits = keep
    note(log, OUT, seat, 0, 0, 0, 0)
    link_seats(t)
    if t.outs < t.seats - 1:
        return False
    seat = t.after[seat]
    if t.piled:
        collect(t, seat, True, log)
    t.turn = seat
    t.over = True
    return True


cdef inline void take(
    table_t* t, int32_t seat, int32_t loser, bint by_default, log_t* log
) noexcept nogil:
    """*seat* takes the pile in play; empty hands are out; the next trick has a leader."""
    cdef int32_t _step, other = seat
    collect(t, seat, by_default, log)
    for _step in range(t.seats):
        other = left_of(t, other)
        if not t.gone[other] and held(t, other) == 0:
            if goes_out(t, other, log):
                return
    if not t.spec.lead_loser:
        t.turn = seat
        return
    while held(t, loser) == 0:
        loser = left_of(t, loser)
    t.turn = loser


cdef inline void next_in_ordinary_play(table_t* t, int32_t seat, log_t* log) noexcept nogil:
    """The next seat that holds a card is to act; those passed over are out."""
    cdef int32_t _step, last = NOBODY, other
    if t.waits == t.seats - t.outs:
        # Nobody who is in holds a card: the last to have turned one is left.
        last = t.waiting[t.waits - 1]
    other = seat
    for _step in range(t.seats):
        other = left_of(t, other)
        if held(t, other):
            t.turn = other
            return
        if not t.gone[other] and other != last:
            if goes_out(t, other, log):
                return


cdef inline void next_payer(table_t* t, int32_t seat, log_t* log) noexcept nogil:
    """The next seat but the claimant that holds a card owes; those passed over are out."""
    cdef int32_t _step, other = seat
    for _step in range(t.seats):
        other = left_of(t, other)
        if other == t.claimant or t.gone[other]:
            continue
        if held(t, other):
            t.turn = other
            note(log, DEMANDED, t.claimant, other, 0, t.due, t.chain)
            return
        if goes_out(t, other, log):
            return


cdef inline void lapse(table_t* t, log_t* log) noexcept nogil:
    note(log, LAPSED, t.claimant, 0, 0, t.due, 0)
    t.claimant = NOBODY
    t.due = 0
    t.chain = 0
    t.begging = False


cdef inline void turn_card(table_t* t, log_t* log) noexcept nogil:
    """The seat to act turns its top card, and all happens that follows from it."""
    cdef int32_t seat = t.turn
    cdef card_t card = ring(t, seat)[t.head[seat] & t.mask]
    cdef uint32_t tribute = card & TRIBUTE
    cdef bint empty
    t.head[seat] += 1
    pile_of(t)[t.piled] = card
    t.piled += 1
    t.cards += 1
    t.penalties += tribute != 0
    empty = held(t, seat) == 0
    if empty:
        t.waiting[t.waits] = seat
        t.waits += 1
    note(log, TURNED, seat, 0, card, t.cards, t.penalties)

    if tribute and not t.begging:
        if card & JOKER and t.spec.joker == GRAB:
            take(t, seat, left_of(t, seat), False, log)
            return
        t.chain = t.chain + 1 if t.due else 1
        t.claimant = seat
        t.due = tribute
        t.begging = card & JOKER and t.spec.joker == BEGGAR
        if not (empty and t.spec.on_empty):
            next_payer(t, seat, log)
        elif not goes_out(t, seat, log):
            lapse(t, log)
            next_in_ordinary_play(t, seat, log)
    elif t.due:
        t.due -= 1
        if t.due == 0:
            note(log, PAID, t.claimant, seat, 0, 0, 0)
            take(t, t.claimant, seat, False, log)
        elif empty and not goes_out(t, seat, log):
            if t.spec.unpaid == LAPSES:
                lapse(t, log)
                next_in_ordinary_play(t, seat, log)
            elif t.spec.unpaid == PASSES_ON:
                next_payer(t, seat, log)
            else:
                take(t, t.claimant, seat, True, log)
    elif empty and (t.spec.on_empty or t.spec.until_penalty):
        if not goes_out(t, seat, log):
            next_in_ordinary_play(t, seat, log)
    elif not t.spec.until_penalty:
        next_in_ordinary_play(t, seat, log)
