/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules of docs/protocol.md 16, "Binding": a guard and a turn each. A mutant changes one
 * guard or one turn.
 */

/* One yes at a time on a seat; a seat given away is somebody else's. A re-mint counts for a seat
 * that was given only if it was not taken back; while its old contract is open, the lock is
 * still there. */
#if defined(MUTANT_SECOND_YES)
#define is_free(p) true
#elif defined(MUTANT_TRADE_THE_REMINT)
#define is_free(p) (lock[p] == FREE || has(reminted, p))
#else
#define is_free(p) (lock[p] == FREE || (lock[p] == GIVEN && has(reminted, p)))
#endif

/* What was heard is of no use any more. */
inline forget()
{
    heard_yes[my] = 0;
    heard_no[my] = false;
}

/* ---- coordinator: all consented, own checks pass: PREPARE ---- */

#define may_prepare (lives && !healed && p == by(c) && state[my] == idle && is_free(p) \
    && is_wanted)

inline prepare()
{
#ifdef COORDINATOR_FIRST
    state[my] = prepared;
    lock[p] = c + 1;
#else
    state[my] = preparing;
#endif
    asked[c] = true;
}

/* ---- a yes and its lock, in one transaction ---- */

#define was_asked (p != by(c) && state[my] == idle && asked[c])
#define agrees (is_free(p) && consents)

/* The coordinator's yes is the last: they have heard all others, and check again. */
#if defined(MUTANT_COORDINATOR_EARLY)
#define is_last (state[my] == preparing && is_free(p))
#elif defined(MUTANT_COORDINATOR_COUNTS_ANSWERS)
#define is_last (state[my] == preparing && is_free(p) \
    && (heard_yes[my] == others || heard_no[my]))
#elif defined(MUTANT_NO_SECOND_CHECK)
#define is_last (state[my] == preparing && heard_yes[my] == others)
#else
#define is_last (state[my] == preparing && is_free(p) && heard_yes[my] == others)
#endif

#ifdef MUTANT_NO_IS_NOT_FINAL
#define may_vote_yes (lives && is_free(p) && (was_asked || is_last \
    || (state[my] == refused && p != by(c))))
#else
#define may_vote_yes (lives && ((was_asked && agrees) || is_last))
#endif

inline vote_yes()
{
#if defined(MUTANT_COORDINATOR_EARLY) || defined(MUTANT_COORDINATOR_COUNTS_ANSWERS)
    /* Their yes is the point of no return. */
    state[my] = (p == by(c) -> committed : prepared);
#else
    state[my] = prepared;
#endif
    lock[p] = c + 1;
    if
    :: by_ask(c) -> end_other_asks()
    :: else -> consent()
    fi
}

/* ---- a no: a check failed, nobody accepted, the time is up, the user cancels, a restart ---- */

#if defined(WILLING)
#define may_vote_no (lives && ((was_asked && !agrees) \
    || (state[my] == preparing && (!is_free(p) || heard_no[my]))))
#else
#define may_vote_no (lives && (was_asked || state[my] == preparing))
#endif

inline vote_no() { state[my] = refused; forget() }

/* ---- votes of others, only on this contract and only of its parties ---- */

/* Who has no yes yet, or an outcome, has no use for votes: hearing them later is the same. */
#define waits_for_votes (lives && (state[my] == preparing || state[my] == prepared))

#ifdef MUTANT_YES_FOR_ANOTHER_CONTRACT
#define yes_heard(q) (has(said_yes[0], q) || has(said_yes[CONTRACTS - 1], q))
#else
#define yes_heard(q) has(said_yes[c], q)
#endif
#define may_hear_yes(q) (waits_for_votes && has(others, q) && !has(heard_yes[my], q) \
    && yes_heard(q))

#if defined(MUTANT_NO_OF_A_STRANGER)
#define no_heard (said_no[c] != 0)
#elif defined(MUTANT_NO_FOR_ANOTHER_CONTRACT)
#define no_heard (((said_no[0] | said_no[CONTRACTS - 1]) & others) != 0)
#else
#define no_heard ((said_no[c] & others) != 0)
#endif
#define may_hear_no (waits_for_votes && !heard_no[my] && no_heard)

/* ---- the two ways out of a yes: everybody's yes, or a no of another party ---- */

#if defined(MUTANT_INCOMPLETE_CERTIFICATE)
/* One vote is missing, whichever. */
#define is_certain (state[my] == prepared \
    && ((others & ~heard_yes[my]) & ((others & ~heard_yes[my]) - 1)) == 0)
#else
#define is_certain (state[my] == prepared && heard_yes[my] == others)
#endif
#define may_commit (lives && is_certain)

inline commit()
{
    state[my] = committed;
    lock[p] = GIVEN;
    forget();
#ifndef MUTANT_KEEP_THE_REMINT
    /* The old contract came true: the seat claimed anew is given back. */
    reminted = reminted & ~bit(p);
#endif
}

#if defined(MUTANT_DEAF_TO_NO)
#define may_abandon false
#else
#define may_abandon (lives && state[my] == prepared && heard_no[my])
#endif

inline abandon()
{
    state[my] = abandoned;
    lock[p] = FREE;
    forget();
}

/* ---- the user forces: the seat is claimed anew, and the yes goes on waiting ---- */

#define may_force (lives && !healed && state[my] == prepared && !has(reminted, p))

inline force()
{
    reminted = reminted | bit(p);
#ifdef MUTANT_FORCE_ENDS_THE_YES
    abandon();
#endif
}

/* ---- power fails and comes back: what was in memory only is gone ---- */

#define is_up(q) (!healed && !has(stopped, q))
#define knows(c, q) (heard_yes[at(c, q)] != 0 || heard_no[at(c, q)])
#ifdef MUTANTS
#define may_fall(q) is_up(q)
#else
/* Else it makes no difference. */
#define may_fall(q) (is_up(q) && (knows(0, q) || knows(CONTRACTS - 1, q)))
#endif

#define may_stop (!healed && stopped == 0)

inline fall(q)
{
    for (c : 0 .. CONTRACTS - 1) {
        heard_yes[at(c, q)] = 0;
        heard_no[at(c, q)] = false;
#ifdef MUTANT_PREPARING_IS_FORGOTTEN
        /* PREPARE went out before its row was on disk; nobody ever says no. */
        if
        :: state[at(c, q)] == preparing -> state[at(c, q)] = idle
        :: else
        fi;
#endif
#ifdef MUTANT_YES_IS_FORGOTTEN
        if
        :: state[at(c, q)] == prepared -> state[at(c, q)] = idle; lock[q] = FREE
        :: else
        fi;
#endif
#ifdef MUTANT_RESTART_SAYS_NO
        /* Presumed abort, although the own yes is on disk: only without one that is allowed. */
        if
        :: state[at(c, q)] == prepared && q == by(c) -> state[at(c, q)] = refused; lock[q] = FREE
        :: else
        fi;
#endif
    }
#ifdef MUTANT_LOCK_IS_FORGOTTEN
    lock[q] = (lock[q] == GIVEN -> GIVEN : FREE);
#endif
    c = 0;
}

/* ---- mutants that do something which no rule allows ---- */

#if defined(MUTANT_REVOKE)
/* The user takes a yes back. */
#define may_err (lives && !healed && state[my] == prepared)
inline err() { abandon() }

#elif defined(MUTANT_TIMEOUT)
/* A yes that waited too long counts no more, and its seat is free. */
#define may_err (lives && !healed && state[my] == prepared && p != by(c))
inline err()
{
    state[my] = refused;
    lock[p] = FREE;
    forget();
}

#elif defined(MUTANT_YES_SAID_BEFORE_IT_IS_ON_DISK)
/* It went out, then the power failed: the disk knows of nothing. */
#define may_err (lives && !healed && may_vote_yes)
inline err() { said_yes[c] = said_yes[c] | bit(p); forget() }

#elif defined(MUTANT_NO_SAID_BEFORE_IT_IS_ON_DISK)
#define may_err (lives && !healed && was_asked)
inline err() { said_no[c] = said_no[c] | bit(p) }

#elif defined(MUTANT_LOCK_IN_A_SECOND_TRANSACTION)
/* The power failed between the yes and its lock. */
#define may_err (lives && !healed && may_vote_yes)
inline err() { state[my] = prepared; forget() }

#elif defined(MUTANTS)
#define may_err false
inline err() { skip }
#endif
