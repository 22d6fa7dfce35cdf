/* One game at a time, in portable C: the step of lanes.h, with branches. */
#include "lanes.h"

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
static inline unsigned leading_zeros(uint64_t word) {
    unsigned long at;
    _BitScanReverse64(&at, word);
    return 63 - at;
}
static inline unsigned ones(uint64_t word) { return (unsigned)__popcnt64(word); }
#else
static inline unsigned leading_zeros(uint64_t word) { return (unsigned)__builtin_clzll(word); }
static inline unsigned ones(uint64_t word) { return (unsigned)__builtin_popcountll(word); }
#endif

static inline uint64_t shifted_right(uint64_t word, unsigned by) {
    return by < 64 ? word >> by : 0;
}

static uint64_t play(uint64_t claimant, uint64_t payer, uint64_t claimant_values,
                     uint64_t payer_values, const lanes_rules *rules, uint64_t cut_off) {
    uint64_t pile = 0, pile_values = 0, cards = 0, tricks = UINT64_MAX;
    uint64_t end = LANES_TOP; /* the bit behind the last card of the pile */
    /* Two for each value on the pile and in the hands: counting ones takes long on
     * processors that have no instruction for it. */
    unsigned pile_bits = 0;
    unsigned claimant_bits = 2 * (ones(claimant) - 1), payer_bits = 2 * (ones(payer) - 1);
    unsigned due = 0;         /* a game starts as paid, with no pile */
    unsigned seat = 0;        /* the claimant's */

    for (;;) {
        unsigned zeros = leading_zeros(payer);
        int swap = 1;
        if (zeros >= due) {
            unsigned mine, other, turned;
            uint64_t sentinel = claimant & (~claimant + 1);
            payer <<= due;
            end >>= due;
            cards += due;
            tricks++;
            claimant_values |= shifted_right(pile_values, claimant_bits);
            claimant_bits += pile_bits;
            claimant = (claimant ^ sentinel) | ((pile | end) >> leading_zeros(sentinel));
            if (payer == LANES_TOP)
                return cards | tricks << 32 | (uint64_t)seat << LANES_WINNER_SHIFT;
            if (tricks > cut_off)
                return LANES_UNFINISHED;
            pile = pile_values = 0;
            pile_bits = 0;
            mine = leading_zeros(claimant);
            other = leading_zeros(payer);
            if (mine <= other) {
                turned = 2 * mine + 1;
                claimant = claimant << mine << 1;
                payer <<= mine;
                swap = 0;
            } else {
                turned = 2 * other + 2;
                claimant <<= other + 1;
                payer = payer << other << 1;
            }
            end = shifted_right(LANES_TOP, turned);
            cards += turned;
        } else {
            payer = payer << zeros << 1;
            end = end >> zeros >> 1;
            cards += zeros + 1;
        }
        if (swap) {
            uint64_t kept = claimant;
            unsigned bits = claimant_bits;
            claimant = payer;
            payer = kept;
            kept = claimant_values;
            claimant_values = payer_values;
            payer_values = kept;
            claimant_bits = payer_bits;
            payer_bits = bits;
            seat ^= 1;
        }
        if (claimant == 0) /* turned its sentinel: it has no card, and the pile is the other's */
            return (cards - 1) | (tricks + 1) << 32 | LANES_BY_DEFAULT |
                   (uint64_t)(seat ^ 1) << LANES_WINNER_SHIFT;
        due = (unsigned)rules->tribute[claimant_values >> 62];
        pile |= end << 1;
        pile_values |= (claimant_values & UINT64_C(3) << 62) >> pile_bits;
        pile_bits += 2;
        claimant_values <<= 2;
        claimant_bits -= 2;
    }
}

void lanes_portable(const lanes_deals *deals, size_t games, const lanes_rules *rules,
                    uint64_t cut_off, uint64_t *ends) {
    size_t i;
    for (i = 0; i < games; i++)
        ends[i] = play(deals->hand[0][i], deals->hand[1][i], deals->values[0][i],
                       deals->values[1][i], rules, cut_off);
}
