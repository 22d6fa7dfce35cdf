/* See breeding.h. */
#include "breeding.h"

#include <string.h>

/* A source of small random numbers: 64 bits are drawn at a time. */
typedef struct {
    bitgen_t *bits;
    uint64_t word;
    int left;
} source;

static inline uint32_t draw16(source *s) {
    uint32_t drawn;
    if (s->left == 0) {
        s->word = s->bits->next_uint64(s->bits->state);
        s->left = 4;
    }
    drawn = (uint32_t)(s->word & 0xFFFF);
    s->word >>= 16;
    s->left--;
    return drawn;
}

/* A number below a bound of at most 4096. Some come a little more often than others, by less
 * than one in sixteen: here that is no harm, for what is found is proved otherwise. */
static inline uint32_t below(source *s, uint32_t bound) { return draw16(s) * bound >> 16; }

static inline int by_chance(source *s, uint32_t of256) { return (draw16(s) & 0xFF) < of256; }

static void put_in(lanes_parent *child, uint32_t at, uint8_t card) {
    memmove(child->cards + at + 1, child->cards + at, child->length - at);
    child->cards[at] = card;
    child->length++;
}

static void insert(source *s, lanes_parent *child) {
    uint32_t lacking = 0, card = 0, at, i;
    for (i = 0; i < 5; i++)
        lacking += child->missing[i];
    if (!lacking || child->length >= LANES_MOST_CARDS)
        return;
    at = below(s, lacking);
    while (at >= child->missing[card])
        at -= child->missing[card++];
    child->missing[card]--;
    at = below(s, child->length + 1u);
    put_in(child, at, (uint8_t)card);
    if (at < child->first || (at == child->first && by_chance(s, 128)))
        child->first++;
}

static void swap(source *s, lanes_parent *child) {
    uint32_t tries;
    for (tries = 0; tries < 8; tries++) {
        uint32_t one = below(s, child->length), two = below(s, child->length);
        uint8_t card = child->cards[one];
        if (card == child->cards[two])
            continue; /* nothing would change */
        child->cards[one] = child->cards[two];
        child->cards[two] = card;
        return;
    }
}

static void move(source *s, lanes_parent *child) {
    uint32_t from = below(s, child->length), to;
    uint8_t card = child->cards[from];
    if (child->length < 4)
        return;
    memmove(child->cards + from, child->cards + from + 1, child->length - from - 1u);
    child->cards[--child->length] = 0;
    if (from < child->first)
        child->first--;
    to = below(s, child->length + 1u);
    put_in(child, to, card);
    if (to < child->first || (to == child->first && by_chance(s, 128)))
        child->first++;
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

static inline unsigned leading_zeros(uint64_t word) {
#if defined(__GNUC__) || defined(__clang__)
    return (unsigned)__builtin_clzll(word);
#else
    unsigned n = 0;
    while (!(word & LANES_TOP))
        word <<= 1, n++;
    return n;
#endif
}

/* Which cards are penalty cards, the first at the top bit. Behind the last card there are
 * zeros. */
static inline uint64_t mask_of(const lanes_parent *child) {
    uint64_t mask = 0;
    uint32_t at;
    for (at = 0; at < 64; at += 8) {
        /* No card is more than 4, so adding 127 carries into a byte's top bit just where it is
         * not zero; the product then gathers these bits, the first byte's at the top. */
        uint64_t eight = 0;
        uint32_t i;
        for (i = 0; i < 8; i++)
            eight |= (uint64_t)child->cards[at + i] << 8 * i;
        eight = (eight + UINT64_C(0x7F7F7F7F7F7F7F7F)) >> 7 & UINT64_C(0x0101010101010101);
        mask |= eight * UINT64_C(0x8040201008040201) >> 56 << (56 - at);
    }
    return mask;
}

static inline void lay_out(const lanes_parent *child, size_t i, const lanes_deals *deals) {
    uint64_t mask = mask_of(child), values = 0, left, first;
    uint32_t n = 0, bits;
    for (left = mask; left; n += 2) {
        uint32_t at = leading_zeros(left);
        left &= ~(LANES_TOP >> at);
        values |= (uint64_t)(child->cards[at] - 1) << 62 >> n;
    }
    first = mask & ~(UINT64_MAX >> child->first);
    bits = 2 * ones_of(first);
    deals->hand[0][i] = first | LANES_TOP >> child->first;
    deals->hand[1][i] = mask << child->first | LANES_TOP >> (child->length - child->first);
    deals->values[0][i] = bits ? values & ~(UINT64_MAX >> (bits - 1) >> 1) : 0;
    deals->values[1][i] = bits < 64 ? values << bits : 0;
}

void lanes_breed(bitgen_t *bits, const lanes_parent *parents, uint32_t many,
                 const lanes_habits *habits, size_t games, const lanes_deals *deals) {
    source s = {bits, 0, 0};
    size_t i;
    for (i = 0; i < games; i++) {
        /* More parents than small numbers tell apart are drawn with 32 bits. */
        uint64_t drawn = (uint64_t)draw16(&s) << 16;
        lanes_parent child;
        uint32_t lacking, k;
        drawn |= draw16(&s);
        child = parents[drawn * many >> 32];
        for (k = 0, lacking = 0; k < 5; k++)
            lacking += child.missing[k];
        if (lacking) {
            insert(&s, &child);
            while (by_chance(&s, habits->insert_more))
                insert(&s, &child);
        }
        if (!(lacking && by_chance(&s, habits->swap_none))) {
            swap(&s, &child);
            while (by_chance(&s, habits->swap_more))
                swap(&s, &child);
        }
        if (by_chance(&s, habits->move))
            move(&s, &child);
        if (by_chance(&s, habits->cut))
            child.first = (uint8_t)(1 + below(&s, child.length - 1u));
        if (child.first == 0)
            child.first = 1;
        if (child.first >= child.length)
            child.first = (uint8_t)(child.length - 1);
        lay_out(&child, i, deals);
    }
}
