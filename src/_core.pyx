# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, embedsignature=False
"""One game, any rules, fast.

A card is one 32-bit word, so that nothing has to be looked up while playing:

     31                          5   4   3        0
    +-----------------------------+-----+----------+
    |  label (which card it is)   |joker| tribute  |    tribute 0: a numeral
    +-----------------------------+-----+----------+

A hand is a ring: a power of two of places, more than there are cards, so a
hand never outgrows it. `head` and `tail` only ever count up; masked, they are
places in the ring, and their difference is the number of cards held:

                 head & mask          tail & mask
                     v                    v
    +---+---+---+---+---+---+---+---+---+---+---+---+
    |   |   |   |   | K | - | - | Q | - |   |   |   |
    +---+---+---+---+---+---+---+---+---+---+---+---+
      turned already   ^ top     bottom ^   a pile goes here

Turning a card is one load and one store onto the pile, a plain array. Taking
the pile copies it to the tail in one block, or two where the ring wraps. The
rings and the pile of a table lie behind its fields in one piece of memory, so
a table is cloned by a single copy. All this is `noexcept nogil`.

`race` plays the common stretches (every player left in has cards, nothing but
tributes and tricks happens) in a tight loop; whatever is out of the ordinary,
and everything while events are wanted, goes through `turn_card`, which knows
all the rules. Both leave the table in the same state.

Loops are found exactly and in constant memory. Brent's algorithm (R. P. Brent,
*An improved Monte Carlo factorization algorithm*, BIT 20, 1980) keeps one
earlier table, moves it up at powers of two, and compares it at each start of a
trick; a match gives the period. Two tables a period apart, played from the
start until they agree, then give the transient. A limit or the budget never
settles by itself that a game has no loop: when play stops at trick N, a clone
goes on for at most N tricks more, which would come round to the same state if
there were a loop within the N. For a stream of events a scout runs ahead, three times as far
as the stream has come: by then Brent's algorithm has found any loop that closes
where the stream is.
"""
cimport cython
from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_RawFree
from cpython.object cimport PyObject, PyTypeObject
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from libc.stdint cimport UINT64_MAX, int8_t, int32_t, uint8_t, uint32_t, uint64_t

from _race cimport FIRST_STRETCH, hop, same, travel
from _table cimport (
    BEGGAR,
    COLLECTS,
    DEMANDED,
    GRAB,
    JOKER,
    KIND,
    LABEL_SHIFT,
    LAPSED,
    LAPSES,
    LIMIT,
    LOOP,
    MOST_CARDS,
    MOST_SEATS,
    NOBODY,
    OUT,
    OVER,
    PAID,
    PASSES_ON,
    SHUFFLED,
    SUPER,
    TAKEN,
    TURNED,
    card_t,
    clear,
    clone,
    held,
    link_seats,
    log_t,
    new_table,
    note,
    note_t,
    pile_of,
    ring,
    shuffle,
    spec_t,
    table_t,
    turn_card,
)

from time import monotonic

from beggar.cards import CARDS
from beggar.events import (
    ClaimLapsed,
    LimitReached,
    LoopFound,
    Out,
    Over,
    Shuffled,
    TributeDemanded,
    TributePaid,
    TrickTaken,
    Turned,
)
from beggar.outcome import Count, Cycle, Outcome, Termination
from beggar.position import Position
cdef extern from "Python.h":
    """
    static inline PyObject *beggar_new_tuple(PyTypeObject *cls, Py_ssize_t n) {
        PyTupleObject *made = PyObject_GC_NewVar(PyTupleObject, cls, n);
        if (made != NULL) {
            memset(made->ob_item, 0, (size_t) n * sizeof(PyObject *));
    #if PY_VERSION_HEX >= 0x030E0000
            made->ob_hash = -1;
    #endif
        }
        return (PyObject *) made;
    }
    /* Whether only we know of a tuple, so that it may be filled anew. From 3.14
       on tuples keep their hash; without the GIL a count of one proves nothing. */
    static inline int beggar_unshared(PyObject *made) {
    #if PY_VERSION_HEX >= 0x030E0000 || defined(Py_GIL_DISABLED)
        return 0;
    #else
        return Py_REFCNT(made) == 1;
    #endif
    }
    static inline void beggar_refill(PyObject *made, Py_ssize_t i, PyObject *field) {
        PyObject *old = PyTuple_GET_ITEM(made, i);
        Py_INCREF(field);
        PyTuple_SET_ITEM(made, i, field);
        Py_XDECREF(old);
    }
    """
    object new_tuple "beggar_new_tuple"(PyTypeObject* cls, Py_ssize_t n)
    bint unshared "beggar_unshared"(PyObject* made) noexcept
    void refill "beggar_refill"(PyObject* made, Py_ssize_t i, object field) noexcept
cdef enum:
    # The first table that Brent's algorithm keeps: most games end before it.
    FIRST_SNAPSHOT = 64

cdef object TERMINATIONS = (
    Termination.WON, Termination.LOOP, Termination.LIMIT, Termination.UNDECIDED
)
cdef enum End:
    WON
    LOOPED
    LIMITED
    UNDECIDED

cdef tuple FACES = CARDS
cdef object TURNED_ = Turned
cdef object DEMANDED_ = TributeDemanded
cdef object PAID_ = TributePaid
cdef object TAKEN_ = TrickTaken


cdef inline object blank(object cls, Py_ssize_t n):
    """Make a named tuple of *n* fields, all of which must be filled at once with `fill`.

    Building it here rather than calling the class is what makes a stream of
    events fast; the classes add no fields or state of their own to a tuple. The
    garbage collector is not told of it: what it holds can be in no cycle.
    """
    return new_tuple(<PyTypeObject*> cls, n)


cdef inline int fill(object made, Py_ssize_t i, object field) except -1:
    Py_INCREF(field)
    PyTuple_SET_ITEM(made, i, field)
    return 0


cdef inline object seat_or_none(int32_t seat):
    return None if seat == NOBODY else seat


cdef inline object count(uint64_t cards, uint64_t tricks):
    made = blank(Count, 2)
    fill(made, 0, cards)
    fill(made, 1, tricks)
    return made


cdef int32_t holds_most(const table_t* t) except -2:
    """The seat that holds most cards, or NOBODY if two are equal."""
    cdef int32_t seat, most = 0
    cdef bint equal = False
    for seat in range(1, t.seats):
        if held(t, seat) > held(t, most):
            most = seat
            equal = False
        elif held(t, seat) == held(t, most):
            equal = True
    return NOBODY if equal else most


cdef object outcome_of(const table_t* t, End how, int32_t winner, object cycle):
    """Make the outcome of a game that ended as the table stands."""
    cdef int32_t seat
    cdef tuple sizes = PyTuple_New(t.seats)
    cdef tuple gone = PyTuple_New(t.outs)
    made = blank(Outcome, 8)
    for seat in range(t.seats):
        fill(sizes, seat, held(t, seat))
    for seat in range(t.outs):
        fill(gone, seat, t.out[seat])
    fill(made, 0, TERMINATIONS[how])
    fill(made, 1, seat_or_none(winner))
    fill(made, 2, t.cards)
    fill(made, 3, t.tricks)
    fill(made, 4, t.by_default != 0 if how == WON else None)
    fill(made, 5, sizes)
    fill(made, 6, gone)
    fill(made, 7, cycle)
    return made


cdef table_t* table_of(Spec spec, tuple hands, int32_t leader, uint64_t seed) except NULL:
    """Lay a new table for a deal."""
    cdef Py_ssize_t cards = 0
    cdef Py_ssize_t seats = len(hands)
    cdef int32_t seat
    cdef bytes hand
    cdef table_t* t
    for hand in hands:
        cards += len(hand)
    if not 2 <= seats <= MOST_SEATS or cards > MOST_CARDS or not 0 <= leader < seats:
        raise ValueError(
            f"{seats} hands of {cards} cards, seat {leader} leads: expected 2 to 6 hands of "
            f"{MOST_CARDS} cards at most, one of which leads"
        )
    t = new_table(<int32_t> seats, <uint32_t> cards)
    t.spec = spec.spec
    t.plain = spec.plain
    t.seed = seed
    t.turn = leader
    for seat in range(t.seats):
        hand = hands[seat]
        t.tail[seat] = <uint32_t> len(hand)
        lay(spec, ring(t, seat), hand)
    link_seats(t)
    return t


cdef inline int lay(Spec spec, card_t* places, bytes labels) except -1:
    """Lay the cards of some labels on places in a row."""
    cdef const unsigned char* label = labels
    cdef Py_ssize_t i
    for i in range(len(labels)):
        places[i] = spec.codes[label[i]]
    return 0


@cython.final
cdef class Spec:
    """Rules as the core reads them; compiled once for each `Rules`."""

    cdef spec_t spec
    cdef uint64_t limit_cards
    cdef uint64_t limit_tricks
    cdef uint64_t budget
    cdef object limit_seconds
    cdef bint watches
    cdef bint plain
    cdef bint reshuffles
    cdef bint most_cards
    # What each card is to the core, by its label.
    cdef card_t[256] codes

    def __cinit__(self, rules):
        for card in FACES:
            self.codes[<int> card.label] = (
                <card_t> card.label << LABEL_SHIFT
                | (JOKER if card.is_joker else 0)
                | <card_t> rules.tribute(card)
            )
        self.spec.on_empty = rules.elimination == "on_empty"
        self.spec.shuffle_pile = rules.shuffle_pile
        self.spec.lead_loser = rules.lead == "loser"
        self.spec.reversed = rules.pickup == "reversed"
        self.spec.until_penalty = rules.until_penalty
        self.spec.unpaid = {"lapses": LAPSES, "passes_on": PASSES_ON, "collects": COLLECTS}[
            rules.unpaid_tribute
        ]
        self.spec.joker = {"super": SUPER, "beggar": BEGGAR, "grab": GRAB}[rules.joker]
        self.spec.identity = KIND if rules.cycle_identity == "kind" else 0xFFFFFFFF
        self.limit_cards = UINT64_MAX if rules.limit_cards is None else rules.limit_cards
        self.limit_tricks = UINT64_MAX if rules.limit_tricks is None else rules.limit_tricks
        self.budget = UINT64_MAX if rules.budget_tricks is None else rules.budget_tricks
        self.limit_seconds = rules.limit_seconds
        self.watches = rules.watches_loops
        self.reshuffles = rules.on_cycle == "shuffle"
        self.most_cards = rules.on_cycle == "most_cards"
        self.plain = not (
            self.spec.shuffle_pile
            or self.spec.lead_loser
            or self.spec.reversed
            or self.spec.until_penalty
            or self.spec.joker != SUPER
        )


@cython.final
@cython.freelist(16)
cdef class Table:
    """One game, played card by card: the compiled twin of `reference.Table`.

    Parameters
    ----------
    spec : Spec
        The rules.
    hands : tuple of bytes
        The hands, top card first, one byte a card: its label, which must be one. At
        most 65,535 cards in all.
    leader : int
        Who leads, if there is no position.
    seed : int
        What shuffles depend on, 0 to 2**64 - 1.
    position : Position, optional
        Where to begin, if not with the hands as dealt; its cards must be those
        of *hands* and *pile*.
    pile : bytes
        The pile of the position.
    """

    cdef readonly object outcome
    cdef Spec spec
    # What the first table is laid from, should it be wanted again.
    cdef tuple hands
    cdef bytes pile
    cdef object first
    cdef int32_t leader
    cdef uint64_t seed

    cdef table_t* now
    # Where the watch for loops began, if not with the first table: after a shuffle.
    cdef table_t* start
    # The table that runs ahead of a stream of events, the one Brent keeps of it,
    # and the trick to keep the next.
    cdef table_t* scout
    cdef table_t* kept
    cdef uint64_t next_kept
    # The period that the scout has found, until it is settled where the loop closes.
    cdef uint64_t found
    # The loop, once known: the trick at whose start it closes, and its counts.
    cdef uint64_t closing
    cdef uint64_t transient_cards
    cdef uint64_t transient_tricks
    cdef uint64_t period_cards
    cdef uint64_t period_tricks
    cdef uint64_t half_cards
    cdef uint64_t half_tricks

    cdef log_t log
    cdef object last_turned
    cdef object last_but_one
    cdef object limit
    cdef object deadline
    cdef bint busy
    cdef bint stopped
    # Whether a trick is to be started: Ctrl-C came between its start and the last one's end.
    cdef bint starting

    def __cinit__(
        self,
        Spec spec not None,
        tuple hands not None,
        int32_t leader=0,
        uint64_t seed=0,
        position=None,
        bytes pile not None=b"",
    ):
        self.spec = spec
        self.hands = hands
        self.leader = leader
        self.seed = seed
        self.first = position
        self.pile = pile
        self.closing = UINT64_MAX
        self.now = self.laid()
        if position is not None and not self.now.piled:
            self.start_trick()

    def __dealloc__(self):
        PyMem_RawFree(self.now)
        PyMem_RawFree(self.start)
        PyMem_RawFree(self.scout)
        PyMem_RawFree(self.kept)

    cdef table_t* laid(self) except NULL:
        """Lay a new table as the game began."""
        cdef table_t* t
        cdef Py_ssize_t more = len(self.pile)
        if self.first is None:
            t = table_of(self.spec, self.hands, self.leader, self.seed)
            t.stopped = &self.stopped
            return t
        # The pile is laid into the first hand to have room for it, and taken out again.
        t = table_of(
            self.spec, (self.hands[0] + self.pile, *self.hands[1:]), self.leader, self.seed
        )
        try:
            t.tail[0] -= <uint32_t> more
            t.stopped = &self.stopped
            self.place(t)
        except BaseException:
            PyMem_RawFree(t)
            raise
        link_seats(t)
        return t

    cdef int place(self, table_t* t) except -1:
        """Put on a table what a position tells beside its hands."""
        position = self.first
        t.piled = <uint32_t> len(self.pile)
        lay(self.spec, pile_of(t), self.pile)
        t.turn = position.turn
        t.due = position.due
        t.claimant = NOBODY if position.claimant is None else position.claimant
        t.begging = position.begging
        t.chain = position.chain
        for seat in position.out:
            t.out[t.outs] = seat
            t.gone[t.out[t.outs]] = True
            t.outs += 1
        for seat in position.waiting:
            t.waiting[t.waits] = seat
            t.waits += 1
        t.cards = position.cards
        t.tricks = position.tricks
        t.penalties = position.penalties
        t.by_default = position.by_default
        t.over = t.outs == t.seats - 1
        return 0

    cdef table_t* beginning(self) except NULL:
        """Return a new table at the first start of a trick of the watch for loops."""
        cdef table_t* t = self.laid() if self.start == NULL else clone(self.start)
        if t.piled:
            try:
                travel(t, NULL, t.tricks + 1, UINT64_MAX)
            except BaseException:
                PyMem_RawFree(t)
                raise
        return t

    cdef int enter(self) except -1:
        """Claim the table for one call: the interpreter is let go on long ways."""
        if self.busy:
            raise RuntimeError("the game is being played in another thread")
        self.busy = True
        return 0

    def __copy__(self):
        cdef Table twin
        self.enter()
        try:
            twin = Table.__new__(Table, self.spec, self.hands, self.leader, self.seed)
            twin.first = self.first
            twin.pile = self.pile
            PyMem_RawFree(twin.now)
            twin.now = NULL
            twin.now = clone(self.now)
            twin.now.stopped = &twin.stopped
            if self.start != NULL:
                twin.start = clone(self.start)
                twin.start.stopped = &twin.stopped
            if self.scout != NULL:
                twin.scout = clone(self.scout)
                twin.scout.stopped = &twin.stopped
            if self.kept != NULL:
                twin.kept = clone(self.kept)
                twin.kept.stopped = &twin.stopped
            twin.next_kept = self.next_kept
            twin.found = self.found
            twin.closing = self.closing
            twin.transient_cards = self.transient_cards
            twin.transient_tricks = self.transient_tricks
            twin.period_cards = self.period_cards
            twin.period_tricks = self.period_tricks
            twin.half_cards = self.half_cards
            twin.half_tricks = self.half_tricks
            twin.log = self.log
            twin.limit = self.limit
            twin.deadline = self.deadline
            twin.starting = self.starting
            twin.outcome = self.outcome
            return twin
        finally:
            self.busy = False

    # -- The end ---------------------------------------------------------------------

    cdef int end(self, End how, int32_t winner) except -1:
        self.outcome = outcome_of(self.now, how, winner, self.cycle() if how == LOOPED else None)
        note(&self.log, OVER, winner, how, 0, 0, 0)
        return 0

    cdef object cycle(self):
        half = count(self.half_cards, self.half_tricks) if self.now.seats == 2 else None
        return Cycle(
            count(self.transient_cards, self.transient_tricks),
            count(self.period_cards, self.period_tricks),
            half,
        )

    cdef object limit_reached(self):
        """Return the name of the limit that the table has reached, or None."""
        cdef table_t* t = self.now
        if t.cards >= self.spec.limit_cards:
            return "limit_cards"
        if t.tricks >= self.spec.limit_tricks:
            return "limit_tricks"
        if self.deadline is not None and monotonic() >= self.deadline:
            return "limit_seconds"
        return None

    cdef int end_by_limit(self, reached) except -1:
        self.limit = reached
        note(&self.log, LIMIT, 0, 0, 0, 0, 0)
        return self.end(LIMITED, holds_most(self.now))

    cdef int wind_clock(self) except -1:
        if self.deadline is None and self.spec.limit_seconds is not None:
            self.deadline = monotonic() + self.spec.limit_seconds
        return 0

    # -- Loops -------------------------------------------------------------------------

    cdef table_t* settle(self, uint64_t period) except NULL:
        """Find where the loop of a known *period* (in tricks) is entered and closes.

        Returns a new table that stands where it closes.
        """
        cdef table_t* entry = NULL
        cdef table_t* ahead = NULL
        cdef table_t* half = NULL
        cdef uint64_t looks = 0
        try:
            entry = self.beginning()
            ahead = clone(entry)
            travel(ahead, NULL, ahead.tricks + period, UINT64_MAX)
            while not same(entry, ahead, False):
                travel(entry, NULL, entry.tricks + 1, UINT64_MAX)
                travel(ahead, NULL, ahead.tricks + 1, UINT64_MAX)
                looks += 1
                if looks % 256 == 0:
                    PyErr_CheckSignals()
            self.transient_cards = entry.cards
            self.transient_tricks = entry.tricks
            self.period_cards = self.half_cards = ahead.cards - entry.cards
            self.period_tricks = self.half_tricks = period
            self.closing = ahead.tricks
            if entry.seats == 2 and period % 2 == 0:
                half = clone(entry)
                travel(half, NULL, half.tricks + period // 2, UINT64_MAX)
                if same(entry, half, True):
                    self.half_cards = half.cards - entry.cards
                    self.half_tricks = period // 2
            return ahead
        except BaseException:
            PyMem_RawFree(ahead)
            raise
        finally:
            PyMem_RawFree(entry)
            PyMem_RawFree(half)

    cdef int foresee(self) except -1:
        """Let the scout run until it is known whether the loop closes at this trick.

        Brent's algorithm notices a loop that closes at trick T (from the start
        of the watch) before trick 3 T, or 3 `FIRST_SNAPSHOT`.
        """
        cdef uint64_t goal, base
        if self.closing != UINT64_MAX:
            return 0
        if self.found:
            return self.settle_found()
        if self.scout == NULL:
            self.scout = self.beginning()
            self.next_kept = self.scout.tricks + FIRST_SNAPSHOT
        base = self.next_kept - FIRST_SNAPSHOT if self.kept == NULL else (
            # The table kept last was kept half way to the next, counted from the start.
            2 * self.kept.tricks - self.next_kept
        )
        goal = base + 3 * (self.now.tricks - base + FIRST_SNAPSHOT)
        while not self.scout.over and self.scout.tricks < goal:
            if travel(self.scout, self.kept, min(goal, self.next_kept), UINT64_MAX):
                self.found = self.scout.tricks - self.kept.tricks
                return self.settle_found()
            if self.scout.tricks >= self.next_kept:
                PyMem_RawFree(self.kept)
                self.kept = NULL
                self.kept = clone(self.scout)
                self.next_kept += self.kept.tricks - base
        return 0

    cdef int settle_found(self) except -1:
        """Settle the loop whose period the scout has found; Ctrl-C may come in between."""
        PyMem_RawFree(self.settle(self.found))
        self.found = 0
        return 0

    cdef int loop_closes(self) except -1:
        """The state was met before: the game ends, or its pile is shuffled."""
        cdef table_t* t = self.now
        note(&self.log, LOOP, 0, 0, 0, 0, 0)
        if not self.spec.reshuffles:
            return self.end(LOOPED, holds_most(t) if self.spec.most_cards else NOBODY)
        shuffle(
            ring(t, t.taker), t.tail[t.taker] - t.taken, t.taken, t.mask, t.seed, t.tricks - 1
        )
        note(&self.log, SHUFFLED, t.taker, 0, 0, t.taken, 0)
        PyMem_RawFree(self.start)
        PyMem_RawFree(self.scout)
        PyMem_RawFree(self.kept)
        self.start = self.scout = self.kept = NULL
        self.found = 0
        self.closing = UINT64_MAX
        self.start = clone(t)
        return 0

    cdef int go_back(self) except -1:
        """Stand where the loop closes: an interrupted `play` may have gone beyond."""
        cdef table_t* t
        if self.closing < self.now.tricks:
            t = self.beginning()
            try:
                travel(t, NULL, self.closing, UINT64_MAX)
            except BaseException:
                PyMem_RawFree(t)
                raise
            self.adopt(t)
        return 0

    cdef int start_trick(self) except -1:
        """Before a trick: is the game over, a limit reached, a loop closed, the budget spent?"""
        cdef table_t* t = self.now
        if t.over:
            return self.end(WON, t.turn)
        reached = self.limit_reached()
        if reached is not None:
            return self.end_by_limit(reached)
        if self.spec.watches:
            self.foresee()
            if self.closing <= t.tricks:
                self.go_back()
                self.loop_closes()
        if self.outcome is None and self.now.tricks >= self.spec.budget:
            return self.end(UNDECIDED, NOBODY)
        return 0

    # -- Playing -----------------------------------------------------------------------

    def step(self):
        """Return the next event, turning a card when there is need; None when over."""
        if self.at_end():
            return None
        return self.event()

    def __iter__(self):
        return self

    def __next__(self):
        if self.at_end():
            raise StopIteration
        return self.event()

    def next_card(self):
        """Return the events of one card, in a list; an empty one when over."""
        events = []
        if not self.at_end():
            while self.log.read != self.log.written:
                events.append(self.event())
        return events

    cdef bint at_end(self) except -1:
        """See that there is a note to read, or tell that there will be none."""
        if self.log.read == self.log.written:
            if self.outcome is not None:
                return True
            if self.starting:
                self.log.read = self.log.written = 0
                self.start_trick_alone()
                return self.at_end()
            self.turn()
        return False

    cdef int turn(self) except -1:
        """Turn a card, and log all that follows from it."""
        if self.busy:
            return self.enter()
        if self.spec.limit_seconds is not None:
            self.wind_clock()
        self.log.read = self.log.written = 0
        turn_card(self.now, &self.log)
        if self.now.piled == 0:
            self.starting = True
            self.start_trick_alone()
        return 0

    cdef int start_trick_alone(self) except -1:
        """Start a trick; the scout may let the interpreter go for a while."""
        self.enter()
        try:
            self.start_trick()
            self.starting = False
        finally:
            self.busy = False
        return 0

    cdef inline object turned(self, note_t* n):
        """Make the event of a turned card, out of the last but one if nobody kept that.

        The loop over a game still holds the last one. `zip` does the same for
        the same reason: most of the time would go to making and dropping tuples.
        """
        cdef PyObject* made
        self.last_turned, self.last_but_one = self.last_but_one, self.last_turned
        made = <PyObject*> self.last_turned
        if self.last_turned is None or not unshared(made):
            self.last_turned = blank(TURNED_, 4)
            made = <PyObject*> self.last_turned
        refill(made, 0, n.seat)
        refill(made, 1, FACES[n.card >> LABEL_SHIFT])
        refill(made, 2, n.a)
        refill(made, 3, n.b)
        return self.last_turned

    cdef object event(self):
        """Make the event of the next note."""
        cdef note_t* n = &self.log.notes[self.log.read]
        self.log.read += 1
        if n.what == TURNED:
            made = self.turned(n)
        elif n.what == DEMANDED:
            made = blank(DEMANDED_, 4)
            fill(made, 0, n.seat)
            fill(made, 1, n.other)
            fill(made, 2, n.a)
            fill(made, 3, n.b)
        elif n.what == PAID:
            made = blank(PAID_, 2)
            fill(made, 0, n.seat)
            fill(made, 1, n.other)
        elif n.what == TAKEN:
            made = blank(TAKEN_, 4)
            fill(made, 0, n.seat)
            fill(made, 1, n.a)
            fill(made, 2, n.b)
            fill(made, 3, n.other != 0)
        elif n.what == LAPSED:
            made = ClaimLapsed(n.seat, n.a)
        elif n.what == SHUFFLED:
            made = Shuffled(n.seat, n.a)
        elif n.what == OUT:
            made = Out(n.seat)
        elif n.what == LOOP:
            made = LoopFound(
                count(self.transient_cards, self.transient_tricks),
                count(self.period_cards, self.period_tricks),
            )
        elif n.what == LIMIT:
            made = LimitReached(self.limit)
        else:
            made = Over(TERMINATIONS[n.other], seat_or_none(n.seat))
        return made

    def stop(self):
        """Make a `play` that goes on in another thread end as Ctrl-C would."""
        self.stopped = True

    def play(self):
        """Play to the end, dropping the events, and return how it ended."""
        self.enter()
        try:
            self.wind_clock()
            self.starting = True
            while self.outcome is None:
                self.log.read = self.log.written = 0
                self.play_on()
            self.starting = False
        finally:
            self.busy = False
            self.stopped = False
        self.log.read = self.log.written = 0
        return self.outcome

    cdef int play_on(self) except -1:
        """Play to the end, or to the next shuffle of a pile that closes a loop."""
        cdef table_t* kept = NULL
        cdef table_t* t = self.now
        cdef uint64_t base = t.tricks
        cdef uint64_t next_kept = base + FIRST_SNAPSHOT if self.spec.watches else UINT64_MAX
        cdef uint64_t stop_tricks = min(self.spec.limit_tricks, self.spec.budget)
        cdef bint found = False
        try:
            while True:
                if t.over:
                    return self.end(WON, t.turn)
                if t.piled == 0:
                    reached = self.limit_reached()
                    if reached is not None:
                        if self.closes_before(t.tricks):
                            return self.loop_closes()
                        return self.end_by_limit(reached)
                    if found:
                        self.adopt(self.settle(t.tricks - kept.tricks))
                        return self.loop_closes_in_budget()
                    if t.tricks >= self.spec.budget:
                        if self.closes_before(t.tricks + 1):
                            return self.loop_closes_in_budget()
                        return self.end(UNDECIDED, NOBODY)
                    if t.tricks >= next_kept:
                        PyMem_RawFree(kept)
                        kept = NULL
                        kept = clone(t)
                        next_kept += t.tricks - base
                found = travel(
                    t,
                    kept,
                    min(stop_tricks, next_kept),
                    self.spec.limit_cards if self.deadline is None
                    else min(self.spec.limit_cards, t.cards + FIRST_STRETCH),
                )
        finally:
            PyMem_RawFree(kept)

    cdef int loop_closes_in_budget(self) except -1:
        self.loop_closes()
        if self.outcome is None and self.now.tricks >= self.spec.budget:
            return self.end(UNDECIDED, NOBODY)
        return 0

    cdef int adopt(self, table_t* t) except -1:
        """Let the game stand where *t* does, which is a table of its own."""
        PyMem_RawFree(self.now)
        self.now = t
        return 0

    cdef bint closes_before(self, uint64_t trick) except -1:
        """Tell whether a loop closed before *trick*; if so, go back to there.

        Play has stopped, so the last table is on the cycle if there is one, and
        comes again within as many tricks as there have been.
        """
        cdef table_t* last = self.now
        cdef table_t* on = NULL
        cdef table_t* begun = NULL
        cdef table_t* closed = NULL
        cdef uint64_t period
        if not self.spec.watches:
            return False
        try:
            begun = self.beginning()
            on = clone(last)
            if not travel(on, last, last.tricks + (last.tricks - begun.tricks), UINT64_MAX):
                return False
            period = on.tricks - last.tricks
        finally:
            PyMem_RawFree(begun)
            PyMem_RawFree(on)
        closed = self.settle(period)
        if self.closing < trick:
            self.adopt(closed)
            return True
        PyMem_RawFree(closed)
        self.closing = UINT64_MAX
        return False

    @property
    def position(self):
        """The table as it stands, as a `Position`."""
        cdef table_t* t = self.now
        cdef int32_t seat
        cdef uint32_t i
        if self.busy:
            raise RuntimeError("the game is being played in another thread")
        return Position(
            tuple([
                tuple([
                    FACES[ring(t, seat)[(t.head[seat] + i) & t.mask] >> LABEL_SHIFT]
                    for i in range(held(t, seat))
                ])
                for seat in range(t.seats)
            ]),
            tuple([FACES[pile_of(t)[i] >> LABEL_SHIFT] for i in range(t.piled)]),
            t.turn,
            t.due,
            seat_or_none(t.claimant),
            t.begging != 0,
            t.chain,
            tuple([t.out[seat] for seat in range(t.outs)]),
            tuple([t.waiting[seat] for seat in range(t.waits)]),
            t.cards,
            t.tricks,
            t.penalties,
            t.by_default != 0,
        )


def play(Spec spec not None, tuple hands not None, int32_t leader, uint64_t seed):
    """Play one deal to the end: ``Table(spec, hands, leader, seed).play()``."""
    cdef table_t* t = table_of(spec, hands, leader, seed)
    try:
        if spec.limit_seconds is None:
            hop(
                t,
                NULL,
                min(spec.limit_tricks, spec.budget),
                min(spec.limit_cards, <uint64_t> FIRST_STRETCH),
            )
            if t.over:
                return outcome_of(t, WON, t.turn, None)
    finally:
        PyMem_RawFree(t)
    return Table.__new__(Table, spec, hands, leader, seed).play()


def play_many(
    Spec spec not None,
    const uint8_t[:, ::1] decks,
    tuple sizes not None,
    const uint64_t[::1] seeds,
    uint32_t[::1] cards,
    uint32_t[::1] tricks,
    int8_t[::1] winner,
    uint8_t[::1] by_default,
):
    """Play many deals of one size, one a row, without an object for each.

    A row holds the labels of cards. Row i's first ``sizes[0]`` cards are hand 0, top card
    first, and so on; seat 0 leads; ``seeds[i]`` is what its shuffles depend on. Where a
    game is won within the limits and the first stretch of cards, its counts are written;
    else ``winner[i]`` is -1, and `Table` is to play it.
    """
    cdef table_t* t
    cdef uint32_t first[MOST_SEATS]
    cdef uint32_t size[MOST_SEATS]
    cdef uint32_t at = 0, card
    cdef card_t* hand
    cdef int32_t seat, seats = <int32_t> len(sizes)
    cdef Py_ssize_t i, games = decks.shape[0]
    cdef uint64_t stop_tricks = min(spec.limit_tricks, spec.budget)
    cdef uint64_t stop_cards = min(spec.limit_cards, <uint64_t> FIRST_STRETCH)
    if sum(sizes) != decks.shape[1] or min(
        seeds.shape[0], cards.shape[0], tricks.shape[0], winner.shape[0], by_default.shape[0]
    ) < games:
        raise ValueError(
            f"{sizes} cards of {decks.shape[1]}, or arrays shorter than {games} games"
        )
    for seat in range(seats):
        first[seat] = at
        size[seat] = sizes[seat]
        at += size[seat]
    t = table_of(spec, (b"\0" * decks.shape[1],) + (b"",) * (seats - 1), 0, 0)
    try:
        with nogil:
            for i in range(games):
                clear(t)
                t.seed = seeds[i]
                for seat in range(seats):
                    hand = ring(t, seat)
                    for card in range(size[seat]):
                        hand[card] = spec.codes[decks[i, first[seat] + card]]
                    t.tail[seat] = size[seat]
                link_seats(t)
                hop(t, NULL, stop_tricks, stop_cards)
                if not t.over:
                    winner[i] = -1
                    continue
                cards[i] = <uint32_t> t.cards
                tricks[i] = <uint32_t> t.tricks
                winner[i] = <int8_t> t.turn
                by_default[i] = t.by_default
    finally:
        PyMem_RawFree(t)
