# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, embedsignature=False
"""States at the start of a trick, one trick on and one trick back.

With two players and no shuffling, what comes next depends on two hands and on who leads; and
who sits where does not matter. So a state here is the leader's hand and the other's, each card
its tribute in four bits, one after another from the top: four machine words and the length of
the leader's hand. Words compare as the dealt sequences do.

    forward   the trick is played. Where it does not end the game, the state after it has its
              leader first, who may be the other seat than before: that is told beside it.

    back      the last trick's pile lies at the bottom of its winner's hand, in the order it
              was turned, so the cards themselves say who turned each of them, once one knows
              how long the pile was and who led. Each length and each leader is tried: the
              cards are dealt back to those who turned them, and where the tribute is paid with
              the very last card, and to the hand that has the pile, that was the state before.
              All of them replay to the state, and there are no others, for a trick that was
              played is among those tried.

From the states of a cycle, or from any other, all that lead there are found by going back from
each state found, until nothing new is (breadth first, with a hash table). No state can be
reached by two ways, since each has one state after it; only the states begun with can come
again.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, labs, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

from cpython.exc cimport PyErr_CheckSignals

import numpy as np

cdef enum:
    MOST = 63
    # The rules, as bits.
    ON_EMPTY = 1
    LOSER_LEADS = 2
    REVERSED = 4
    UNTIL_PENALTY = 8
    # States between two looks for Ctrl-C.
    STRETCH = 4096

MOST_CARDS = MOST

cdef struct state_t:
    uint64_t word[4]
    uint32_t first
    uint32_t cards

cdef struct hands_t:
    # The leader's and the other's, from their tops.
    uint8_t card[2][MOST + 1]
    int32_t size[2]

cdef struct edge_t:
    # A trick: how many cards it had, and whether the lead changed seats.
    uint32_t cards
    bint swapped


# -- Packing -----------------------------------------------------------------------------------

cdef inline void pack(const hands_t* hands, state_t* state) noexcept nogil:
    cdef int32_t at = 0, i, hand
    memset(state, 0, sizeof(state_t))
    for hand in range(2):
        for i in range(hands.size[hand]):
            state.word[at >> 4] |= <uint64_t> hands.card[hand][i] << (60 - 4 * (at & 15))
            at += 1
    state.first = <uint32_t> hands.size[0]
    state.cards = <uint32_t> at


cdef inline void unpack(const state_t* state, hands_t* hands) noexcept nogil:
    cdef int32_t i, first = <int32_t> state.first
    cdef uint8_t card
    hands.size[0] = first
    hands.size[1] = <int32_t> state.cards - first
    for i in range(<int32_t> state.cards):
        card = <uint8_t> (state.word[i >> 4] >> (60 - 4 * (i & 15)) & 15)
        if i < first:
            hands.card[0][i] = card
        else:
            hands.card[1][i - first] = card


cdef inline bint less(const state_t* one, const state_t* two) noexcept nogil:
    cdef int i
    for i in range(4):
        if one.word[i] != two.word[i]:
            return one.word[i] < two.word[i]
    return one.first < two.first


cdef inline bint same(const state_t* one, const state_t* two) noexcept nogil:
    return memcmp(one, two, sizeof(state_t)) == 0


cdef inline uint64_t hashed(const state_t* state) noexcept nogil:
    cdef uint64_t h = state.first
    cdef int i
    for i in range(4):
        h = (h ^ state.word[i]) * <uint64_t> 0x9E3779B97F4A7C15
        h ^= h >> 29
    return h


# -- One trick on ------------------------------------------------------------------------------

cdef bint forward(
    const state_t* state, int rules, state_t* after, edge_t* edge
) noexcept nogil:
    """Play one trick; tell whether the game goes on after it."""
    cdef hands_t hands, next_
    cdef uint8_t pile[MOST + 1]
    cdef uint8_t card
    cdef int32_t at[2]
    cdef int32_t n = 0, due = 0, turn = 0, winner = -1, leader, left, i, hand
    unpack(state, &hands)
    at[0] = at[1] = 0
    while True:
        if at[turn] == hands.size[turn]:
            # Must turn and has none: the other is left alone.
            return False
        card = hands.card[turn][at[turn]]
        at[turn] += 1
        pile[n] = card
        n += 1
        if rules & ON_EMPTY and at[turn] == hands.size[turn]:
            return False
        if card:
            winner = turn
            due = card
            turn ^= 1
        elif due:
            due -= 1
            if due == 0:
                break
        elif not rules & UNTIL_PENALTY:
            turn ^= 1
    if at[winner ^ 1] == hands.size[winner ^ 1]:
        # Paid with the last card: out, once the pile is collected.
        return False
    leader = winner ^ 1 if rules & LOSER_LEADS else winner
    for hand in range(2):
        left = hands.size[hand] - at[hand]
        memcpy(next_.card[hand ^ leader], &hands.card[hand][at[hand]], left)
        next_.size[hand ^ leader] = left
    hand = winner ^ leader
    left = next_.size[hand]
    for i in range(n):
        next_.card[hand][left + i] = pile[n - 1 - i] if rules & REVERSED else pile[i]
    next_.size[hand] = left + n
    pack(&next_, after)
    edge.cards = <uint32_t> n
    edge.swapped = leader == 1
    return True


# -- One trick back ----------------------------------------------------------------------------

cdef bint before(
    const hands_t* hands, int32_t n, int32_t leader_wins, int rules, state_t* state, edge_t* edge
) noexcept nogil:
    """Undo a trick of *n* cards; tell whether there was one.

    *leader_wins* tells whether the leader then was its winner.
    """
    cdef int32_t winner = 1 if rules & LOSER_LEADS else 0
    cdef int32_t left = hands.size[winner] - n
    cdef const uint8_t* pile = &hands.card[winner][left]
    cdef hands_t had
    # The hands as they were, the leader's first: who wins, and who turns.
    cdef int32_t wins = 0 if leader_wins else 1
    cdef int32_t turn = 0, due = 0, claimant = -1, i
    cdef uint8_t card
    if rules & ON_EMPTY and left == 0:
        return False
    had.size[0] = had.size[1] = 0
    for i in range(n):
        card = pile[n - 1 - i] if rules & REVERSED else pile[i]
        had.card[turn][had.size[turn]] = card
        had.size[turn] += 1
        if card:
            claimant = turn
            due = card
            turn ^= 1
        elif due:
            due -= 1
            if due == 0:
                if i < n - 1 or claimant != wins:
                    return False
                break
        elif not rules & UNTIL_PENALTY:
            turn ^= 1
    else:
        return False
    memcpy(&had.card[wins][had.size[wins]], hands.card[winner], left)
    had.size[wins] += left
    memcpy(
        &had.card[wins ^ 1][had.size[wins ^ 1]], hands.card[winner ^ 1], hands.size[winner ^ 1]
    )
    had.size[wins ^ 1] += hands.size[winner ^ 1]
    pack(&had, state)
    edge.cards = <uint32_t> n
    # Seats: the winner leads now, or the loser does.
    edge.swapped = (winner == 0) != leader_wins
    return True


# -- States for Python -------------------------------------------------------------------------

cdef int take(bytes leader, bytes other, state_t* state) except -1:
    """Read a state from the tributes of two hands."""
    cdef hands_t hands
    cdef Py_ssize_t i
    cdef bytes hand
    cdef int place
    if len(leader) + len(other) > MOST or not leader or not other:
        raise ValueError(f"hands of {len(leader)} and {len(other)} cards: expected 1 to {MOST}")
    for place, hand in enumerate((leader, other)):
        hands.size[place] = <int32_t> len(hand)
        for i in range(len(hand)):
            if (<const uint8_t*> hand)[i] > 15:
                raise ValueError(f"{hand!r}: expected tributes of 0 to 15")
            hands.card[place][i] = (<const uint8_t*> hand)[i]
    pack(&hands, state)
    return 0


cdef tuple give(const state_t* state):
    """Return a state as the tributes of two hands."""
    cdef hands_t hands
    unpack(state, &hands)
    return (
        bytes(hands.card[0][:hands.size[0]]),
        bytes(hands.card[1][:hands.size[1]]),
    )


def trick(bytes leader not None, bytes other not None, int rules):
    """Play one trick; None if it ends the game.

    Returns the hands after it, the new leader's first, the number of cards, and whether the
    lead changed seats.
    """
    cdef state_t state, after
    cdef edge_t edge
    take(leader, other, &state)
    if not forward(&state, rules, &after, &edge):
        return None
    return (*give(&after), edge.cards, bool(edge.swapped))


def tricks_before(bytes leader not None, bytes other not None, int rules):
    """Return the states one trick before, each with its number of cards and whether the lead
    changed seats."""
    cdef state_t state, was
    cdef hands_t hands
    cdef edge_t edge
    cdef int32_t n, wins
    take(leader, other, &state)
    unpack(&state, &hands)
    found = []
    for n in range(2, hands.size[1 if rules & LOSER_LEADS else 0] + 1):
        for wins in range(2):
            if before(&hands, n, wins, rules, &was, &edge):
                found.append((*give(&was), edge.cards, bool(edge.swapped)))
    return found


cdef inline bint told(const uint8_t* stop, int64_t* taken) noexcept nogil:
    """Count a trick, and see now and then whether one is told to stop."""
    taken[0] += 1
    return taken[0] % STRETCH == 0 and stop != NULL and stop[0] != 0


cdef int64_t find_cycle(
    const state_t* start, int rules, const uint8_t* stop, state_t* on_it
) noexcept nogil:
    """Follow a game to its cycle: its length, and the first state of it.

    -1 if the game ends, -2 if told to stop.
    """
    cdef state_t slow, fast, after
    cdef edge_t edge
    cdef int64_t power = 1, length = 0, taken = 0, _i
    # Brent: a state is kept, and another sent ahead of it until it comes round to it.
    slow = start[0]
    fast = start[0]
    while True:
        if not forward(&fast, rules, &after, &edge):
            return -1
        fast = after
        length += 1
        if told(stop, &taken):
            return -2
        if same(&slow, &fast):
            break
        if length == power:
            slow = fast
            power *= 2
            length = 0
    # The first state of the cycle: where two, its length apart, come together.
    slow = fast = start[0]
    for _i in range(length):
        forward(&fast, rules, &after, &edge)
        fast = after
        if told(stop, &taken):
            return -2
    while not same(&slow, &fast):
        forward(&slow, rules, &after, &edge)
        slow = after
        forward(&fast, rules, &after, &edge)
        fast = after
        if told(stop, &taken):
            return -2
    on_it[0] = slow
    return length


def least(bytes leader not None, bytes other not None, int rules, stop=None):
    """Follow a game to its cycle and return its least state; None if it ends.

    Returns the two hands, then the tricks and cards of a round, seats not told apart, how often
    the lead changes seats in it, and by how many cards the hands differ where they do least.
    Where the first byte of *stop* becomes other than 0, in another thread, that is a
    KeyboardInterrupt.
    """
    cdef state_t start, at, after, found
    cdef edge_t edge
    cdef int64_t length, _i, cards = 0, swaps = 0, lean = MOST, taken = 0
    cdef const uint8_t[::1] flag
    cdef const uint8_t* looked_at = NULL
    cdef bint stopped = False
    if stop is not None:
        flag = stop
        looked_at = &flag[0]
    take(leader, other, &start)
    with nogil:
        length = find_cycle(&start, rules, looked_at, &at)
        found = at
        for _i in range(length):
            if less(&at, &found):
                found = at
            lean = min(lean, labs(2 * <int64_t> at.first - at.cards))
            forward(&at, rules, &after, &edge)
            cards += edge.cards
            swaps += edge.swapped
            at = after
            if told(looked_at, &taken):
                stopped = True
                break
    if length == -2 or stopped:
        raise KeyboardInterrupt
    if length < 0:
        return None
    return (*give(&found), length, cards, swaps, lean)


def cycle(bytes leader not None, bytes other not None, int rules):
    """Follow a game to its cycle, seats not told apart; None if it ends.

    Returns the cycle's states in order, the first that the game comes to first, each with the
    cards of the trick from it, then how often the lead changes seats in one round, and the
    place of the least state.
    """
    cdef state_t start, at, after, found
    cdef edge_t edge
    cdef int64_t length, i, place = 0, swaps = 0
    take(leader, other, &start)
    length = find_cycle(&start, rules, NULL, &at)
    if length < 0:
        return None
    states = []
    found = at
    for i in range(length):
        if less(&at, &found):
            found = at
            place = i
        forward(&at, rules, &after, &edge)
        states.append((*give(&at), edge.cards))
        swaps += edge.swapped
        at = after
        if i % STRETCH == 0:
            PyErr_CheckSignals()
    return states, swaps, place


cdef class Tree:
    """All states that lead to some, found by going back from them.

    Parameters
    ----------
    roots : sequence of (bytes, bytes)
        The states to begin with; those of a cycle must follow one another.
    rules : int
    most : int
        The most states to find.
    ring : bool
        Whether the roots are a cycle: the last is followed by the first.

    Attributes
    ----------
    whole : bool
        Whether all were found; else there are more than *most*.
    size : int
    """

    cdef state_t* states
    cdef int64_t* next
    cdef int32_t* depth
    cdef edge_t* edge
    cdef int64_t* slots
    cdef int64_t size_, room, mask, most
    cdef int rules
    cdef readonly bint whole

    def __cinit__(self, roots, int rules, int64_t most, bint ring):
        cdef state_t after
        cdef edge_t edge
        cdef int64_t n, count = len(roots)
        self.rules = rules
        self.most = max(most, count)
        self.whole = True
        self.grow(1024)
        for n, (leader, other) in enumerate(roots):
            self.grow(self.size_ + 1)
            take(leader, other, &self.states[n])
            if not self.add(&self.states[n]):
                raise ValueError("a state stands twice among the roots")
            self.next[n] = (n + 1) % count if ring else -1
            self.depth[n] = 0
            self.edge[n].cards = 0
            self.edge[n].swapped = False
            if forward(&self.states[n], rules, &after, &edge):
                self.edge[n] = edge
        n = 0
        while n < self.size_ and self.whole:
            self.go_back(n)
            n += 1
            if n % STRETCH == 0:
                PyErr_CheckSignals()

    def __dealloc__(self):
        free(self.states)
        free(self.next)
        free(self.depth)
        free(self.edge)
        free(self.slots)

    cdef int grow(self, int64_t needed) except -1:
        """Make room for so many states, and some more."""
        cdef int64_t room, n
        cdef void* made
        if needed <= self.room:
            return 0
        room = max(needed, 2 * self.room)
        made = realloc(self.states, room * sizeof(state_t))
        if made == NULL:
            raise MemoryError
        self.states = <state_t*> made
        made = realloc(self.next, room * sizeof(int64_t))
        if made == NULL:
            raise MemoryError
        self.next = <int64_t*> made
        made = realloc(self.depth, room * sizeof(int32_t))
        if made == NULL:
            raise MemoryError
        self.depth = <int32_t*> made
        made = realloc(self.edge, room * sizeof(edge_t))
        if made == NULL:
            raise MemoryError
        self.edge = <edge_t*> made
        self.room = room
        # The table is at most half full.
        while self.mask < 2 * room:
            self.mask = 2 * self.mask + 1
        free(self.slots)
        self.slots = <int64_t*> malloc((self.mask + 1) * sizeof(int64_t))
        if self.slots == NULL:
            raise MemoryError
        memset(self.slots, 0xFF, (self.mask + 1) * sizeof(int64_t))
        for n in range(self.size_):
            self.slots[self.slot(&self.states[n])] = n
        return 0

    cdef int64_t slot(self, const state_t* state) noexcept nogil:
        """Return where a state is in the table, or the free place for it."""
        cdef int64_t at = <int64_t> (hashed(state) & <uint64_t> self.mask)
        while self.slots[at] >= 0 and not same(&self.states[self.slots[at]], state):
            at = (at + 1) & self.mask
        return at

    cdef bint add(self, const state_t* state) noexcept nogil:
        """Add a state, if it is new, as the last; there is room."""
        cdef int64_t at = self.slot(state)
        if self.slots[at] >= 0:
            return False
        self.states[self.size_] = state[0]
        self.slots[at] = self.size_
        self.size_ += 1
        return True

    cdef int go_back(self, int64_t n) except -1:
        """Add the states one trick before a state."""
        cdef hands_t hands
        cdef state_t was
        cdef edge_t edge
        cdef int32_t cards, wins
        unpack(&self.states[n], &hands)
        for cards in range(2, hands.size[1 if self.rules & LOSER_LEADS else 0] + 1):
            for wins in range(2):
                if not before(&hands, cards, wins, self.rules, &was, &edge):
                    continue
                if self.slots[self.slot(&was)] >= 0:
                    # Round the cycle: a root.
                    continue
                if self.size_ >= self.most:
                    self.whole = False
                    return 0
                self.grow(self.size_ + 1)
                self.add(&was)
                self.next[self.size_ - 1] = n
                self.depth[self.size_ - 1] = self.depth[n] + 1
                self.edge[self.size_ - 1] = edge
        return 0

    @property
    def size(self):
        return self.size_

    def state(self, int64_t n):
        """Return a state: the leader's hand and the other's."""
        if not 0 <= n < self.size_:
            raise IndexError(n)
        return give(&self.states[n])

    def arrays(self):
        """Return for each state: the next one's place (-1: none is known), how many tricks it
        is from the roots, the cards of its trick, whether the lead changes seats, and how many
        cards the leader holds."""
        cdef int64_t n
        next_ = np.empty(self.size_, dtype=np.int64)
        depth = np.empty(self.size_, dtype=np.int32)
        cards = np.empty(self.size_, dtype=np.int32)
        swapped = np.empty(self.size_, dtype=np.uint8)
        first = np.empty(self.size_, dtype=np.int32)
        cdef int64_t[::1] next_of = next_
        cdef int32_t[::1] depth_of = depth
        cdef int32_t[::1] cards_of = cards
        cdef uint8_t[::1] swapped_of = swapped
        cdef int32_t[::1] first_of = first
        for n in range(self.size_):
            next_of[n] = self.next[n]
            depth_of[n] = self.depth[n]
            cards_of[n] = <int32_t> self.edge[n].cards
            swapped_of[n] = self.edge[n].swapped
            first_of[n] = <int32_t> self.states[n].first
        return next_, depth, cards, swapped, first
