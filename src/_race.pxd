# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Playing on without events: the fast stretches, and how far to go.

Uses the table and the rules of `_table.pxd` alone.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memcpy

from _table cimport (
    MOST_SEATS,
    NOBODY,
    TRIBUTE,
    card_t,
    held,
    pile_of,
    ring,
    table_t,
    turn_card,
)

cdef enum:
    # Cards played with the interpreter held before it is first let go: most
    # games are over by then.
    FIRST_STRETCH = 20_000
    # Cards between two looks for Ctrl-C: some ten milliseconds.
    STRETCH = 1_000_000

cdef inline void race(
    table_t* t, const table_t* seen, uint64_t stop_tricks, uint64_t stop_cards
) noexcept nogil:
    """Play on while nothing is out of the ordinary.

    Stops before a hand's last card is turned, and at the start of a trick when
    *stop_tricks* or *stop_cards* are reached or the table may be as in *seen*.
    Needs every seat that is in to hold a card, and `t.plain`.
    """
    cdef card_t* hands[MOST_SEATS]
    cdef card_t* pile = pile_of(t)
    cdef card_t* one
    cdef uint32_t head[MOST_SEATS]
    cdef uint32_t tail[MOST_SEATS]
    cdef int32_t after[MOST_SEATS]
    cdef uint32_t mask = t.mask, n = t.piled, due = t.due, chain = t.chain
    cdef uint32_t at, place, i
    cdef uint64_t counted = t.cards - n, tricks = t.tricks, penalties = t.penalties
    cdef int32_t turn = t.turn, claimant = t.claimant
    cdef card_t card
    cdef bint stop = False
    memcpy(head, t.head, sizeof(head))
    memcpy(tail, t.tail, sizeof(tail))
    memcpy(after, t.after, sizeof(after))
    for i in range(<uint32_t> t.seats):
        hands[i] = ring(t, <int32_t> i)
    while True:
        if due == 0:
            # Ordinary play, to the next penalty card.
            while True:
                at = head[turn]
                if tail[turn] - at == 1:
                    stop = True
                    break
                card = hands[turn][at & mask]
                head[turn] = at + 1
                pile[n] = card
                n += 1
                if card & TRIBUTE:
                    break
                turn = after[turn]
            if stop:
                break
            penalties += 1
            chain = 1
            claimant = turn
            due = card & TRIBUTE
            turn = after[turn]
        while True:
            # Payment, to the end or to the next penalty card.
            at = head[turn]
            if tail[turn] - at == 1:
                stop = True
                break
            card = hands[turn][at & mask]
            head[turn] = at + 1
            pile[n] = card
            n += 1
            if card & TRIBUTE:
                penalties += 1
                chain += 1
                claimant = turn
                due = card & TRIBUTE
                turn = after[turn]
            else:
                due -= 1
                if due == 0:
                    break
        if stop:
            break
        # The tribute is paid: the pile goes under, eight cards at a time, where
        # the ring does not wrap. What is written beyond the tail is nobody's.
        at = tail[claimant]
        place = at & mask
        if place + n <= t.ring_size:
            one = hands[claimant] + place
            i = 0
            while True:
                memcpy(one + i, pile + i, 8 * sizeof(card_t))
                i += 8
                if i >= n:
                    break
        else:
            for i in range(n):
                hands[claimant][(at + i) & mask] = pile[i]
        tail[claimant] = at + n
        turn = claimant
        t.taker = claimant
        t.taken = n
        t.by_default = False
        claimant = NOBODY
        due = 0
        chain = 0
        counted += n
        n = 0
        tricks += 1
        if tricks >= stop_tricks or counted >= stop_cards:
            break
        if seen != NULL and turn == seen.turn and tail[0] - head[0] == held(seen, 0):
            break
    memcpy(t.head, head, sizeof(head))
    memcpy(t.tail, tail, sizeof(tail))
    t.piled = n
    t.due = due
    t.chain = chain
    t.cards = counted + n
    t.tricks = tricks
    t.penalties = penalties
    t.turn = turn
    t.claimant = claimant


cdef inline bint same(table_t* t, table_t* u, bint swapped) noexcept nogil:
    """Tell whether two tables, both at the start of a trick, are in the same state.

    *swapped* compares with the two seats of *u* exchanged.
    """
    cdef int32_t seat, other
    cdef uint32_t i, n
    cdef card_t* one
    cdef card_t* two
    if (t.turn != u.turn) != swapped:
        return False
    for seat in range(t.seats):
        if held(t, seat) != held(u, 1 - seat if swapped else seat):
            return False
    for seat in range(t.seats):
        other = 1 - seat if swapped else seat
        one = ring(t, seat)
        two = ring(u, other)
        n = held(t, seat)
        for i in range(n):
            if (
                one[(t.head[seat] + i) & t.mask] ^ two[(u.head[other] + i) & u.mask]
            ) & t.spec.identity:
                return False
    return True


cdef inline bint hop(
    table_t* t, table_t* seen, uint64_t stop_tricks, uint64_t stop_cards
) noexcept nogil:
    """Play on to a start of a trick at which *stop_tricks* or *stop_cards* are reached.

    Stops earlier where the game is over, or where the table is in the state of
    *seen* (which may be NULL) at the start of a later trick; tells whether the
    last is why.
    """
    while not t.over:
        if t.plain and t.waits == 0:
            race(t, seen, stop_tricks, stop_cards)
            if t.piled == 0:
                if seen != NULL and t.tricks > seen.tricks and same(t, seen, False):
                    return True
                if t.tricks >= stop_tricks or t.cards >= stop_cards:
                    return False
        turn_card(t, NULL)
        if t.piled == 0 and not t.over:
            if seen != NULL and same(t, seen, False):
                return True
            if t.tricks >= stop_tricks or t.cards >= stop_cards:
                return False
    return False


cdef inline bint travel(
    table_t* t, table_t* seen, uint64_t stop_tricks, uint64_t stop_cards
) except -1:
    """Do what `hop` does, and obey Ctrl-C."""
    cdef uint64_t stretch = t.cards + FIRST_STRETCH
    cdef bint found
    if hop(t, seen, stop_tricks, min(stretch, stop_cards)):
        return True
    while not t.over and t.tricks < stop_tricks and t.cards < stop_cards:
        PyErr_CheckSignals()
        if t.stopped != NULL and t.stopped[0]:
            raise KeyboardInterrupt
        stretch = t.cards + STRETCH
        with nogil:
            found = hop(t, seen, stop_tricks, min(stretch, stop_cards))
        if found:
            return True
    return False
