/* See stepping.h. */
#include "stepping.h"

#include <stdlib.h>
#include <string.h>

#define SYMBOLS 5
#define MOST_TAIL 7

typedef struct {
    uint32_t start, many;
} list;

struct lanes_stepper {
    unsigned cards, first, head, tail;
    uint8_t deck[LANES_MOST_CARDS];
    /* What lies ahead of each place of the head: its mask, values, and how many of these. */
    uint64_t mask[LANES_MOST_CARDS + 1], values[LANES_MOST_CARDS + 1];
    uint8_t penalties[LANES_MOST_CARDS + 1];
    unsigned left[SYMBOLS]; /* the cards of the tail */
    uint32_t at, end;       /* in the list of the tail */
    int over;
    /* Lists by the number of their counts, and their entries: the mask in the upper half,
     * the values in the lower, both from the top bit. */
    list lists[(MOST_TAIL + 1) * (MOST_TAIL + 1) * (MOST_TAIL + 1) * (MOST_TAIL + 1)];
    uint32_t *entries;
};

static unsigned number_of(const unsigned counts[SYMBOLS]) {
    unsigned base = MOST_TAIL + 1;
    return ((counts[1] * base + counts[2]) * base + counts[3]) * base + counts[4];
}

/* List the arrangements of every tail; strings as numbers rise in the order wanted. */
static int list_tails(lanes_stepper *s) {
    uint32_t total = 1, string, at = 0;
    unsigned i, pass;
    for (i = 0; i < s->tail; i++)
        total *= SYMBOLS;
    s->entries = malloc(total * sizeof *s->entries);
    if (!s->entries)
        return 0;
    for (pass = 0; pass < 2; pass++) {
        for (string = 0; string < total; string++) {
            unsigned counts[SYMBOLS] = {0}, digits[MOST_TAIL], n = 0;
            uint32_t rest = string, mask = 0, values = 0;
            list *of;
            for (i = s->tail; i-- > 0; rest /= SYMBOLS) {
                digits[i] = rest % SYMBOLS;
                counts[digits[i]]++;
            }
            of = &s->lists[number_of(counts)];
            if (pass) {
                for (i = 0; i < s->tail; i++)
                    if (digits[i]) {
                        mask |= UINT32_C(0x8000) >> i;
                        values |= (digits[i] - 1) << 14 >> 2 * n++;
                    }
                s->entries[of->start + of->many] = mask << 16 | values;
            }
            of->many++;
        }
        if (pass)
            break;
        for (i = 0; i < sizeof s->lists / sizeof *s->lists; i++) {
            s->lists[i].start = at;
            at += s->lists[i].many;
            s->lists[i].many = 0;
        }
    }
    return 1;
}

lanes_stepper *lanes_stepper_new(unsigned cards, unsigned first, const unsigned counts[4]) {
    lanes_stepper *s = calloc(1, sizeof *s);
    unsigned code, at = 0, i;
    if (!s)
        return NULL;
    s->cards = cards;
    s->first = first;
    s->tail = cards < MOST_TAIL ? cards : MOST_TAIL;
    s->head = cards - s->tail;
    if (!list_tails(s)) {
        free(s);
        return NULL;
    }
    /* Begin at the first arrangement: numerals, then the codes. */
    for (code = 0; code < 4; code++)
        at += counts[code];
    at = cards - at;
    for (code = 0; code < 4; code++)
        for (i = 0; i < counts[code]; i++)
            s->deck[at++] = (uint8_t)(code + 1);
    lanes_stepper_set(s, s->deck);
    return s;
}

void lanes_stepper_free(lanes_stepper *s) {
    if (!s)
        return;
    free(s->entries);
    free(s);
}

/* Sum up the head from a place on. */
static void sum_head(lanes_stepper *s, unsigned from) {
    unsigned i;
    for (i = from; i < s->head; i++) {
        unsigned n = s->penalties[i], card = s->deck[i];
        s->mask[i + 1] = s->mask[i] | (card ? LANES_TOP >> i : 0);
        s->values[i + 1] = s->values[i] | (card ? (uint64_t)(card - 1) << 62 >> 2 * n : 0);
        s->penalties[i + 1] = (uint8_t)(n + (card != 0));
    }
}

void lanes_stepper_set(lanes_stepper *s, const uint8_t *deck) {
    unsigned i, n = 0;
    uint32_t mask = 0, values = 0;
    const list *of;
    memmove(s->deck, deck, s->cards);
    memset(s->left, 0, sizeof s->left);
    for (i = 0; i < s->tail; i++) {
        unsigned card = s->deck[s->head + i];
        s->left[card]++;
        if (card) {
            mask |= UINT32_C(0x8000) >> i;
            values |= (card - 1) << 14 >> 2 * n++;
        }
    }
    of = &s->lists[number_of(s->left)];
    s->end = of->start + of->many;
    for (s->at = of->start; s->entries[s->at] != (mask << 16 | values); s->at++)
        ;
    s->over = 0;
    sum_head(s, 0);
}

/* Step the head; the tail begins anew. */
static void step_head(lanes_stepper *s) {
    unsigned later[SYMBOLS], card, i = s->head, place;
    const list *of;
    memcpy(later, s->left, sizeof later);
    for (;;) {
        if (i == 0) {
            s->over = 1;
            return;
        }
        card = s->deck[--i] + 1u;
        while (card < SYMBOLS && !later[card])
            card++;
        later[s->deck[i]]++;
        if (card < SYMBOLS)
            break;
    }
    later[card]--;
    s->deck[i] = (uint8_t)card;
    place = i + 1;
    for (card = 0; place < s->head; place++) {
        while (!later[card])
            card++;
        later[card]--;
        s->deck[place] = (uint8_t)card;
    }
    memcpy(s->left, later, sizeof later);
    of = &s->lists[number_of(later)];
    s->at = of->start;
    s->end = of->start + of->many;
    sum_head(s, i);
}

static inline unsigned ones_of(uint64_t word) {
#if defined(__GNUC__) || defined(__clang__)
    return (unsigned)__builtin_popcountll(word);
#else
    unsigned n = 0;
    for (; word; word &= word - 1)
        n++;
    return n;
#endif
}

/* The values of a mask's first `bits` bits alone. */
static inline uint64_t first_bits(uint64_t word, unsigned bits) {
    return bits ? word & ~(UINT64_MAX >> (bits - 1) >> 1) : 0;
}

/* Where the hands part within the head, hand 0 stays while the tail is stepped through. */
static size_t step_tail(lanes_stepper *s, size_t i, size_t games, const lanes_deals *deals) {
    uint64_t mask = s->mask[s->head], values = s->values[s->head];
    unsigned ahead = s->penalties[s->first], shift = s->head - s->first;
    unsigned bits = 2 * (s->penalties[s->head] - ahead);
    uint64_t hand = first_bits(mask, s->first) | LANES_TOP >> s->first;
    uint64_t kept = first_bits(values, 2 * ahead);
    uint64_t sentinel = LANES_TOP >> (s->cards - s->first);
    mask = mask << s->first | sentinel;
    values = 2 * ahead < 64 ? values << 2 * ahead : 0;
    for (; i < games && s->at < s->end; i++) {
        uint32_t entry = s->entries[s->at++];
        uint64_t mine = (uint64_t)(entry & 0xFFFF) << 48;
        deals->hand[0][i] = hand;
        deals->values[0][i] = kept;
        deals->hand[1][i] = mask | (uint64_t)(entry >> 16) << 48 >> shift;
        deals->values[1][i] = values | (bits < 64 ? mine >> bits : 0);
    }
    return i;
}

/* Where they part within the tail, the whole sequence is cut anew each time. */
static size_t step_across(lanes_stepper *s, size_t i, size_t games, const lanes_deals *deals) {
    unsigned bits = 2 * s->penalties[s->head];
    for (; i < games && s->at < s->end; i++) {
        uint32_t entry = s->entries[s->at++];
        uint64_t mine = (uint64_t)(entry & 0xFFFF) << 48;
        uint64_t mask = s->mask[s->head] | (uint64_t)(entry >> 16) << 48 >> s->head;
        uint64_t values = s->values[s->head] | (bits < 64 ? mine >> bits : 0);
        uint64_t hand = first_bits(mask, s->first);
        unsigned ahead = 2 * ones_of(hand);
        deals->hand[0][i] = hand | LANES_TOP >> s->first;
        deals->values[0][i] = first_bits(values, ahead);
        deals->hand[1][i] = mask << s->first | LANES_TOP >> (s->cards - s->first);
        deals->values[1][i] = ahead < 64 ? values << ahead : 0;
    }
    return i;
}

size_t lanes_step(lanes_stepper *s, size_t games, const lanes_deals *deals) {
    size_t i = 0;
    while (i < games && !s->over) {
        i = s->first <= s->head ? step_tail(s, i, games, deals) : step_across(s, i, games, deals);
        if (s->at == s->end)
            step_head(s);
    }
    return i;
}

int lanes_next(uint8_t *cards, size_t n) {
    size_t pivot = n, other, low;
    uint8_t kept;
    while (pivot > 1 && cards[pivot - 2] >= cards[pivot - 1])
        pivot--;
    if (pivot <= 1)
        return 0;
    pivot -= 2;
    for (other = n - 1; cards[other] <= cards[pivot]; other--)
        ;
    kept = cards[pivot];
    cards[pivot] = cards[other];
    cards[other] = kept;
    for (low = pivot + 1, other = n - 1; low < other; low++, other--) {
        kept = cards[low];
        cards[low] = cards[other];
        cards[other] = kept;
    }
    return 1;
}
