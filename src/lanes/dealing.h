/* Dealing: uniform, exact, and as fast as playing.
 *
 * Shuffling 52 cards costs as much as half a game. A deal of kinds needs less: which
 * places hold penalty cards, and in which order their values come. Both are drawn as
 * uniform numbers and read off tables.
 *
 * Places: the deck is cut into groups of at most 13 places. How many penalty cards each
 * group gets is one entry of a list weighted by the number of ways; which places of a
 * group, a uniform choice among its subsets of that size. Values: the order is cut into
 * two halves of at most 8; how many of each value the first half gets is one entry of a
 * weighted list, the orders of both halves uniform choices among the strings of such
 * counts. Every arrangement thus has the same chance: the weights are the exact counts,
 * and numbers below a bound are drawn by multiplication with rejection (D. Lemire, "Fast
 * random integer generation in an interval", 2019; several from one word as in N.
 * Brackett-Rozinsky and D. Lemire, "Batched ranged random integer generation", 2024).
 *
 * Decks of more than 16 penalty cards are shuffled card by card.
 */
#ifndef BEGGAR_DEALING_H
#define BEGGAR_DEALING_H

#include "lanes.h"
#include "numpy/random/bitgen.h"

typedef struct lanes_dealer lanes_dealer;

/* A dealer of `counts[c]` penalty cards of code c among `cards` cards, of which the
 * first `first` make hand 0. NULL if memory runs out. The caller sees that there are at
 * most LANES_MOST_CARDS and LANES_MOST_PENALTIES. */
lanes_dealer *lanes_dealer_new(unsigned cards, unsigned first, const unsigned counts[4]);
void lanes_dealer_free(lanes_dealer *dealer);

/* Deal `games` deals. */
void lanes_deal(const lanes_dealer *dealer, bitgen_t *bits, size_t games,
                const lanes_deals *deals);

/* Shuffle `n` cards in place (Fisher-Yates). */
void lanes_shuffle(bitgen_t *bits, uint8_t *cards, uint32_t n);

#endif
