/* Many games at once: the lanes.
 *
 * A plain two-player game is a few machine words, and one step of it a few dozen
 * instructions without a branch, so that a processor plays several side by side.
 *
 * A hand is a mask of 64 bits, its top card at the most significant one: 1 for a
 * penalty card, 0 for a numeral, and below the last card one more 1, the sentinel:
 *
 *        top                                  bottom
 *         |                                      |
 *    bit 63  0 0 1 0 1 0 0 ... 0 1 0 0 1 0 0 0 0 0  1  0 0 0   bit 0
 *                                                   ^ sentinel
 *
 * What the penalty cards demand is kept apart, two bits each (a code for one of four
 * tributes), packed from the most significant bits in the same order. So
 *
 *    turning k cards               is a left shift by k,
 *    how far the next penalty is   a count of leading zeros,
 *    taking the pile               a right shift of the pile to the sentinel, and an OR,
 *    how many values a hand holds  a count of ones, less the sentinel,
 *    must turn and has none        a mask that became zero: the sentinel was turned.
 *
 * A step goes from one penalty card to the next. The payer turns numerals until the
 * tribute is paid, or a penalty card (or the sentinel) shows. Where it is paid, the
 * claimant takes the pile, and both play ordinary cards up to the next penalty card,
 * which both masks' zeros tell at once. Either way each lane has then turned one
 * penalty card, and all push it onto the pile alike.
 *
 * Kernels differ only in how many games they play at once. All must give exactly what
 * the core gives: winner, cards, tricks and whether the last trick was by default.
 */
#ifndef BEGGAR_LANES_H
#define BEGGAR_LANES_H

#include <stddef.h>
#include <stdint.h>

#define LANES_TOP (UINT64_C(1) << 63)

/* The most cards of a game, and the most penalty cards. */
#define LANES_MOST_CARDS 63
#define LANES_MOST_PENALTIES 32

/* Dealt games: seat 0 leads. Each array holds one word a game. Eight words behind the
 * last one may be read. */
typedef struct {
    uint64_t *hand[2];
    uint64_t *values[2];
} lanes_deals;

/* What a code of two bits demands, 1 to 15. */
typedef struct {
    uint64_t tribute[4];
} lanes_rules;

/* How a game ended, in one word:
 *    bits 0 to 31    cards
 *    bits 32 to 55   tricks
 *    bit 56          the winner's seat
 *    bit 57          the last trick was by default
 *    bit 58          not finished within the cut-off: nothing else holds
 */
#define LANES_WINNER_SHIFT 56
#define LANES_BY_DEFAULT (UINT64_C(1) << 57)
#define LANES_UNFINISHED (UINT64_C(1) << 58)

/* Play `games` games and write how each ended. A game of more than `cut_off` tricks
 * may be left unfinished; every other one is finished. */
typedef void lanes_kernel(const lanes_deals *deals, size_t games, const lanes_rules *rules,
                          uint64_t cut_off, uint64_t *ends);

lanes_kernel lanes_portable, lanes_avx2, lanes_avx512;

/* The kernels by number, best last; NULL where this processor or build lacks one. */
enum { LANES_PORTABLE, LANES_AVX2, LANES_AVX512, LANES_KERNELS };
lanes_kernel *lanes_kernel_of(int number);
const char *lanes_name_of(int number);

#endif
