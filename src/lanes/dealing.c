/* See dealing.h. */
#include "dealing.h"

#include <stdlib.h>
#include <string.h>

#define GROUP 13
#define MOST_GROUPS 5
#define HALF 8
#define GUIDE_BITS 10

/* How many penalty cards each group of places gets. */
typedef struct {
    uint64_t below; /* ways of the entries before this one */
    uint64_t ways;  /* the product of the bounds */
    uint16_t bound[MOST_GROUPS];  /* subsets of each group */
    uint16_t start[MOST_GROUPS];  /* of the subsets of that size in `subsets` */
} spread;

/* How many of each value the first half of the order gets. */
typedef struct {
    uint64_t below;
    uint32_t second_bound;
    uint32_t first_start, second_start; /* of the strings of such counts */
} cut;

struct lanes_dealer {
    unsigned cards, first, penalties, groups;
    unsigned shift[MOST_GROUPS];
    uint64_t places, orders; /* how many there are */
    uint16_t subsets[1 << GROUP]; /* by size, then as numbers */
    unsigned spreads, cuts;
    spread *spread;
    cut *cut;
    uint32_t place_guide[1 << GUIDE_BITS], order_guide[1 << GUIDE_BITS];
    unsigned half[2]; /* lengths */
    uint16_t *strings[2];
    uint8_t deck[LANES_MOST_CARDS]; /* code + 1, or 0 for a numeral; only to shuffle */
    int shuffled;
};

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
static inline uint64_t multiply(uint64_t a, uint64_t b, uint64_t *low) {
    uint64_t high;
    *low = _umul128(a, b, &high);
    return high;
}
#else
static inline uint64_t multiply(uint64_t a, uint64_t b, uint64_t *low) {
    unsigned __int128 product = (unsigned __int128)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
}
#endif

/* A uniform number below `bound`; `word` is the random word it came from. */
static inline uint64_t below(bitgen_t *bits, uint64_t bound, uint64_t *word) {
    uint64_t low, high;
    *word = bits->next_uint64(bits->state);
    high = multiply(*word, bound, &low);
    if (low < bound) {
        uint64_t least = (UINT64_C(0) - bound) % bound;
        while (low < least) {
            *word = bits->next_uint64(bits->state);
            high = multiply(*word, bound, &low);
        }
    }
    return high;
}

static uint64_t choose(unsigned n, unsigned k) {
    uint64_t ways = 1;
    unsigned i;
    if (k > n)
        return 0;
    for (i = 1; i <= k; i++)
        ways = ways * (n - k + i) / i;
    return ways;
}

/* Where to begin to look for a number, by the first bits of the word it came from. */
static void make_guide(uint32_t *guide, uint64_t bound, const void *entries, size_t size,
                       unsigned n) {
    unsigned at = 0, i;
    for (i = 0; i < 1u << GUIDE_BITS; i++) {
        uint64_t low, least = multiply((uint64_t)i << (64 - GUIDE_BITS), bound, &low);
        while (at + 1 < n &&
               *(const uint64_t *)((const char *)entries + (at + 1) * size) <= least)
            at++;
        guide[i] = at;
    }
}

/* List the spreads from `group` on, with `left` penalty cards to place; count them when
 * there is no list yet. */
static void list_spreads(lanes_dealer *d, const unsigned *sizes, unsigned group, unsigned left,
                         unsigned *sizes_taken) {
    static const spread none;
    unsigned k;
    if (group == d->groups) {
        if (left == 0) {
            spread entry = none;
            unsigned g;
            entry.below = d->places;
            entry.ways = 1;
            for (g = 0; g < d->groups; g++) {
                unsigned size = sizes_taken[g], smaller;
                entry.bound[g] = (uint16_t)choose(sizes[g], size);
                entry.ways *= entry.bound[g];
                for (smaller = 0; smaller < size; smaller++)
                    entry.start[g] = (uint16_t)(entry.start[g] + choose(GROUP, smaller));
            }
            if (d->spread)
                d->spread[d->spreads] = entry;
            d->spreads++;
            d->places += entry.ways;
        }
        return;
    }
    for (k = 0; k <= left && k <= sizes[group]; k++) {
        sizes_taken[group] = k;
        list_spreads(d, sizes, group + 1, left - k, sizes_taken);
    }
}

/* The number of a vector of counts, each at most HALF. */
static unsigned vector_of(const unsigned counts[4]) {
    return ((counts[0] * 9 + counts[1]) * 9 + counts[2]) * 9 + counts[3];
}

/* List all strings of `length` codes, those of the same counts together, as the bits a
 * value word begins with. `start` and `many` are by the number of the vector. */
static uint16_t *list_strings(unsigned length, uint32_t *start, uint32_t *many) {
    uint32_t total = UINT32_C(1) << (2 * length), string, at = 0;
    uint16_t *strings = malloc(total * sizeof *strings);
    unsigned vector, vectors = 9 * 9 * 9 * 9, pass;
    if (!strings)
        return NULL;
    memset(many, 0, vectors * sizeof *many);
    for (pass = 0; pass < 2; pass++) {
        for (string = 0; string < total; string++) {
            unsigned counts[4] = {0, 0, 0, 0}, i;
            for (i = 0; i < length; i++)
                counts[string >> (2 * i) & 3]++;
            vector = vector_of(counts);
            if (pass)
                strings[start[vector] + many[vector]] = (uint16_t)(string << (16 - 2 * length));
            many[vector]++;
        }
        if (pass)
            break;
        for (vector = 0; vector < vectors; vector++) {
            start[vector] = at;
            at += many[vector];
            many[vector] = 0;
        }
    }
    return strings;
}

static int list_cuts(lanes_dealer *d, const unsigned counts[4]) {
    unsigned vectors = 9 * 9 * 9 * 9, a, b, c;
    uint32_t *tables = malloc(4 * vectors * sizeof *tables);
    uint32_t *start[2], *many[2];
    int h, done = 0;
    if (!tables)
        return 0;
    for (h = 0; h < 2; h++) {
        start[h] = tables + 2 * h * vectors;
        many[h] = start[h] + vectors;
        d->strings[h] = list_strings(d->half[h], start[h], many[h]);
        if (!d->strings[h])
            goto out;
    }
    d->cut = malloc(9 * 9 * 9 * sizeof *d->cut);
    if (!d->cut)
        goto out;
    for (a = 0; a <= counts[0] && a <= d->half[0]; a++)
        for (b = 0; b <= counts[1] && a + b <= d->half[0]; b++)
            for (c = 0; c <= counts[2] && a + b + c <= d->half[0]; c++) {
                unsigned first[4], second[4], i;
                cut *entry = &d->cut[d->cuts];
                first[0] = a, first[1] = b, first[2] = c, first[3] = d->half[0] - a - b - c;
                if (first[3] > counts[3])
                    continue;
                for (i = 0; i < 4; i++)
                    second[i] = counts[i] - first[i];
                if (second[0] > HALF || second[1] > HALF || second[2] > HALF || second[3] > HALF)
                    continue;
                entry->below = d->orders;
                entry->first_start = start[0][vector_of(first)];
                entry->second_start = start[1][vector_of(second)];
                entry->second_bound = many[1][vector_of(second)];
                d->orders += (uint64_t)many[0][vector_of(first)] * entry->second_bound;
                d->cuts++;
            }
    done = 1;
out:
    free(tables);
    return done;
}

lanes_dealer *lanes_dealer_new(unsigned cards, unsigned first, const unsigned counts[4]) {
    lanes_dealer *d = calloc(1, sizeof *d);
    unsigned code, i, at = 0, sizes[MOST_GROUPS], taken[MOST_GROUPS], k;
    if (!d)
        return NULL;
    d->cards = cards;
    d->first = first;
    for (code = 0; code < 4; code++) {
        for (i = 0; i < counts[code]; i++)
            d->deck[at++] = (uint8_t)(code + 1);
        d->penalties += counts[code];
    }
    if (d->penalties > 2 * HALF) {
        d->shuffled = 1;
        return d;
    }
    d->groups = (cards + GROUP - 1) / GROUP;
    for (i = 0, at = 0; i < d->groups; i++) {
        sizes[i] = (cards - at + d->groups - i - 1) / (d->groups - i);
        at += sizes[i];
        d->shift[i] = 64 - at;
    }
    for (k = 0, at = 0; k <= GROUP; k++)
        for (i = 0; i < 1u << GROUP; i++) {
            unsigned ones = 0, bit;
            for (bit = 0; bit < GROUP; bit++)
                ones += i >> bit & 1;
            if (ones == k)
                d->subsets[at++] = (uint16_t)i;
        }
    list_spreads(d, sizes, 0, d->penalties, taken);
    d->spread = malloc(d->spreads * sizeof *d->spread);
    d->half[0] = (d->penalties + 1) / 2;
    d->half[1] = d->penalties / 2;
    if (!d->spread || !list_cuts(d, counts)) {
        lanes_dealer_free(d);
        return NULL;
    }
    d->spreads = 0;
    d->places = 0;
    list_spreads(d, sizes, 0, d->penalties, taken);
    make_guide(d->place_guide, d->places, d->spread, sizeof *d->spread, d->spreads);
    make_guide(d->order_guide, d->orders, d->cut, sizeof *d->cut, d->cuts);
    return d;
}

void lanes_dealer_free(lanes_dealer *d) {
    if (!d)
        return;
    free(d->spread);
    free(d->cut);
    free(d->strings[0]);
    free(d->strings[1]);
    free(d);
}

void lanes_shuffle(bitgen_t *bits, uint8_t *cards, uint32_t n) {
    for (; n > 1; n--) {
        uint64_t word;
        uint32_t at = (uint32_t)below(bits, n, &word);
        uint8_t kept = cards[n - 1];
        cards[n - 1] = cards[at];
        cards[at] = kept;
    }
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

/* Cut a deck (its mask and values from the top bit on) into two hands. */
static inline void hand_out(const lanes_dealer *d, uint64_t mask, uint64_t values, size_t i,
                            const lanes_deals *deals) {
    uint64_t first = mask & ~(UINT64_MAX >> d->first);
    unsigned bits = 2 * ones_of(first);
    deals->hand[0][i] = first | LANES_TOP >> d->first;
    deals->hand[1][i] = mask << d->first | LANES_TOP >> (d->cards - d->first);
    /* What lies behind a hand's own values is never read, but should be nothing. */
    deals->values[0][i] = bits ? values & ~(UINT64_MAX >> (bits - 1) >> 1) : 0;
    deals->values[1][i] = bits < 64 ? values << bits : 0;
}

static void deal_by_shuffling(const lanes_dealer *d, bitgen_t *bits, size_t games,
                              const lanes_deals *deals) {
    size_t i;
    for (i = 0; i < games; i++) {
        uint8_t deck[LANES_MOST_CARDS];
        uint64_t mask = 0, values = 0;
        unsigned at, n = 0;
        memcpy(deck, d->deck, sizeof deck);
        lanes_shuffle(bits, deck, d->cards);
        for (at = 0; at < d->cards; at++)
            if (deck[at]) {
                mask |= LANES_TOP >> at;
                values |= (uint64_t)(deck[at] - 1) << 62 >> 2 * n++;
            }
        hand_out(d, mask, values, i, deals);
    }
}

void lanes_deal(const lanes_dealer *d, bitgen_t *bits, size_t games, const lanes_deals *deals) {
    size_t i;
    if (d->shuffled) {
        deal_by_shuffling(d, bits, games, deals);
        return;
    }
    for (i = 0; i < games; i++) {
        uint64_t word, number, mask, values;
        const spread *s;
        const cut *c;
        unsigned g;

        number = below(bits, d->places, &word);
        s = &d->spread[d->place_guide[word >> (64 - GUIDE_BITS)]];
        while (number >= s->below + s->ways)
            s++;
        do {
            /* A number below each bound from one word. */
            word = bits->next_uint64(bits->state);
            for (g = 0, mask = 0; g < d->groups; g++) {
                uint64_t index = multiply(word, s->bound[g], &word);
                mask |= (uint64_t)d->subsets[s->start[g] + index] << d->shift[g];
            }
        } while (word < s->ways && word < (UINT64_C(0) - s->ways) % s->ways);

        number = below(bits, d->orders, &word);
        c = &d->cut[d->order_guide[word >> (64 - GUIDE_BITS)]];
        while (c + 1 < d->cut + d->cuts && number >= c[1].below)
            c++;
        {
            uint32_t rest = (uint32_t)(number - c->below);
            uint32_t one = rest / c->second_bound, two = rest % c->second_bound;
            values = (uint64_t)d->strings[0][c->first_start + one] << 48 |
                     (uint64_t)d->strings[1][c->second_start + two] << 48 >> 2 * d->half[0];
        }
        hand_out(d, mask, values, i, deals);
    }
}
