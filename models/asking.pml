/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Consent by ASK (docs/protocol.md section 16): in a pair whoever was asked coordinates and votes last,
 * so that who came asking is the one in doubt. A guard and a turn each, as in rules.pml.
 */

#ifdef ASKED
#define by_ask(c) has(ASKED, c)
#else
#define by_ask(c) false
#endif

/* The other one of a pair. */
#define asker(c) ((parties(c) & ~bit(by(c))) == bit(0) -> 0 \
    : ((parties(c) & ~bit(by(c))) == bit(1) -> 1 \
    : ((parties(c) & ~bit(by(c))) == bit(2) -> 2 : 3)))
#define other(c) ((c) == 0 -> CONTRACTS - 1 : 0)
#define asks_other (CONTRACTS == 2 && by_ask(other(c)) && asker(other(c)) == p)

/* Nothing but a claim says who the griefer is; of all others more is known. */
#ifdef GRIEFER
#define is_claimed(p) ((p) == GRIEFER)
#else
#define is_claimed(p) false
#endif

/* A second question before the consent to a coordinator who is merely claimed. */
inline consent()
{
#if !defined(OLD) && !defined(MUTANT_NO_SECOND_QUESTION)
    if
    :: is_claimed(by(c)) -> warned = warned | bit(at(c, p))
    :: else
    fi
#else
    skip
#endif
}

/* ---- the user asks: the consent stands until the ASK ends ---- */

/* Nobody asks for what is being agreed at this moment. */
#if defined(MUTANT_ASKS_WHILE_PREPARING)
#define is_agreeing(p) false
#else
#define is_agreeing(p) (state[at(0, p)] == preparing || state[at(CONTRACTS - 1, p)] == preparing)
#endif
#define may_ask (lives && !healed && by_ask(c) && p == asker(c) && state[my] == idle \
    && !has(asks | withdrawn, c) && is_free(p) && !is_agreeing(p))

inline ask()
{
    asks = asks | bit(c);
    consent()
}

/* ---- the user takes it back; its time is up ---- */

#if defined(WILLING)
#define may_withdraw false
#else
#define may_withdraw (lives && !healed && by_ask(c) && p == asker(c) && state[my] == idle \
    && has(asks, c))
#endif

inline withdraw()
{
    asks = asks & ~bit(c);
    withdrawn = withdrawn | bit(c);
}

/* ---- whoever is asked says yes: PREPARE, unless the own ASK for the same legs stands and has
 * the smaller coordinator: a yes to either is a yes to that one ---- */

#if defined(SAME_LEGS) && !defined(MUTANT_BOTH_OF_TWO_STAND)
#define stands_aside (asks_other && has(asks, other(c)) && by(other(c)) < by(c))
#else
#define stands_aside false
#endif
#define is_wanted (!by_ask(c) || (has(said_ask, c) && !stands_aside))

/* ---- the asker's yes needs the ASK, and ends their others for the seat in one transaction ---- */

#if defined(MUTANT_YES_WITHOUT_AN_ASK)
#define consents true
#else
#define consents (!by_ask(c) || p == by(c) || has(asks, c))
#endif

#define may_end_others (p == asker(c) && asks_other && has(asks, other(c)) \
    && state[at(other(c), p)] == idle)

inline end_other_asks()
{
    if
    :: may_end_others ->
        outdone = outdone | bit(other(c));
#ifndef MUTANT_OTHER_ASKS_STAND
        asks = asks & ~bit(other(c));
        withdrawn = withdrawn | bit(other(c))
#endif
    :: else
    fi
}
