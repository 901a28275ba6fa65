/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The binding phase of a swap (docs/protocol.md section 16), for Spin. scripts/model runs every
 * configuration, and every mutant: one rule taken out.
 *
 * What is in it: PREPARE, votes, the certificate, locks, abandons, re-mints; agents that lose
 * power at any moment and as often as they like; one that may stop for ever; a network that
 * loses, repeats and reorders; consent by ASK (asking.pml), and a griefer, who keeps all rules
 * and vanishes for ever at the worst moment. What is not: humans before any other PREPARE
 * (whoever is asked may say yes or no, at any moment and to several contracts for one seat: as
 * yeses that stand, and READY, which nothing rests on), the checks of seats and logs before a yes (any of them
 * may fail: then a no), time (whatever a clock may do at some moment, it may do at every moment),
 * and cheats (the fold judges them, and its tests).
 *
 * The network is the set of what was ever said. Whatever is in it may be heard never (lost),
 * late and in any order, and again after a restart (repeated). Nothing is heard that was not
 * said: signatures.
 *
 * Every d_step is one turn of an agent. What it changes of `state`, `lock` and `reminted` is on
 * disk when it ends; what it `said` goes out in a later step, so that power may fail in between.
 *
 *   PARTIES            2 to 4 passengers, numbered from 0; each gives one seat
 *   FIRST, FIRST_BY    the parties of contract 0 as a mask, and its coordinator
 *   SECOND, SECOND_BY  the same of contract 1, which wants some of the same seats; may be left out
 *   COORDINATOR_FIRST  the rejected order: the coordinator votes first instead of last
 *   ASKED              the contracts (as a mask, pairs only) that come by ASK: who is not the
 *                      coordinator asks them, and votes first
 *   SAME_LEGS          both contracts move the same seats: two who ask each other
 *   WILLING            nobody takes anything back and nothing fails; a no only where a check fails
 *   STOP               one passenger, whoever it is, may stop for ever
 *   GRIEFER            this passenger may stop for ever, and is known by a claim only
 *   REMINT             who is in doubt may force: claim the seat anew and go on waiting
 *   MUTANTS, MUTANT_.. one rule less; see where each is named
 *   REACH_...          something that must be able to happen: Spin is told that it cannot
 */

#ifdef SECOND
#define CONTRACTS 2
#define parties(c) ((c) == 0 -> FIRST : SECOND)
#define by(c)      ((c) == 0 -> FIRST_BY : SECOND_BY)
#else
#define CONTRACTS 1
#define parties(c) FIRST
#define by(c)      FIRST_BY
#endif

#define bit(p)       (1 << (p))
#define has(mask, p) (((mask) & bit(p)) != 0)
#define at(c, p)     ((c) * PARTIES + (p))
/* Somebody who is no party, and signs a no to everything. */
#define STRANGER     PARTIES

/* idle: no vote yet. preparing: the coordinator collects votes. prepared: a yes without an
 * outcome. committed: a certificate is logged. refused: a no is logged. abandoned: another's no
 * is logged. */
mtype = { idle, preparing, prepared, committed, refused, abandoned }

/* On disk. `lock` is the contract plus one that has a yes on the seat, or one of the two below.
 * */
mtype state[CONTRACTS * PARTIES] = idle;
#define FREE  0
#define GIVEN 9
byte lock[PARTIES] = FREE;
byte reminted = 0;

/* ASKs that stand, that were taken back, and that another yes of their asker ended, by contract.
 * Who was told, before consent, what happens if the coordinator vanishes. */
byte asks = 0;
byte withdrawn = 0;
byte outdone = 0;
byte warned = 0;

/* In memory only: whose yes was heard, and whether a no that frees. */
byte heard_yes[CONTRACTS * PARTIES] = 0;
bool heard_no[CONTRACTS * PARTIES] = false;

/* The network: PREPARE of a contract, and votes by their authors. */
bool asked[CONTRACTS] = false;
byte said_yes[CONTRACTS] = 0;
byte said_ask = 0;
byte said_no[CONTRACTS] = bit(STRANGER);

/* Who stopped for ever; and whether the trouble is over: nobody falls any more, no user does
 * anything new, and all that was said arrives. Nobody may then be left in doubt. */
byte stopped = 0;
bool healed = false;

#define my      at(c, p)
#define lives   (!has(stopped, p))
#define others  (parties(c) & ~bit(p))

/* A yes and a no exist once they are on their author's disk or were said. */
#define yes_on_disk(c, p) (state[at(c, p)] == prepared || state[at(c, p)] == committed \
    || state[at(c, p)] == abandoned)
#define yes_of(c, p) (has(said_yes[c], p) || yes_on_disk(c, p))
#define no_of(c, p)  (has(said_no[c], p) || state[at(c, p)] == refused)

#include "asking.pml"
#include "rules.pml"
#include "properties.pml"

/* One passenger and one contract: their turns, in any order. */
proctype Passenger(byte c; byte p)
{
end:
    do
#ifdef ASKED
    :: d_step { may_ask -> ask() }
    :: d_step { lives && has(asks, c) && !has(said_ask, c) && p == asker(c) ->
           said_ask = said_ask | bit(c) }
    :: d_step { may_withdraw -> withdraw() }
#endif
    :: d_step { may_prepare -> prepare() }
    :: d_step { may_vote_yes -> vote_yes() }
    :: d_step { may_vote_no -> vote_no() }
    :: d_step { lives && yes_on_disk(c, p) && !has(said_yes[c], p) ->
           said_yes[c] = said_yes[c] | bit(p) }
    :: d_step { lives && state[my] == refused && !has(said_no[c], p) ->
           said_no[c] = said_no[c] | bit(p) }
    :: d_step { may_hear_yes(0) -> heard_yes[my] = heard_yes[my] | bit(0) }
    :: d_step { may_hear_yes(1) -> heard_yes[my] = heard_yes[my] | bit(1) }
#if PARTIES > 2
    :: d_step { may_hear_yes(2) -> heard_yes[my] = heard_yes[my] | bit(2) }
#endif
#if PARTIES > 3
    :: d_step { may_hear_yes(3) -> heard_yes[my] = heard_yes[my] | bit(3) }
#endif
    :: d_step { may_hear_no -> heard_no[my] = true }
    :: d_step { may_commit -> commit() }
    :: d_step { may_abandon -> abandon() }
#ifdef REMINT
    :: d_step { may_force -> force() }
#endif
#ifdef MUTANTS
    :: d_step { may_err -> err() }
#endif
    od
}

/* What happens to passengers whether they like it or not. */
proctype Fate()
{
    byte c;
end:
    do
    :: d_step { may_fall(0) -> fall(0) }
    :: d_step { may_fall(1) -> fall(1) }
#if PARTIES > 2
    :: d_step { may_fall(2) -> fall(2) }
#endif
#if PARTIES > 3
    :: d_step { may_fall(3) -> fall(3) }
#endif
#ifdef GRIEFER
    :: d_step { may_stop -> stopped = bit(GRIEFER); fall(GRIEFER) }
#endif
#ifdef STOP
    :: d_step { may_stop -> stopped = bit(0); fall(0) }
    :: d_step { may_stop -> stopped = bit(1); fall(1) }
#if PARTIES > 2
    :: d_step { may_stop -> stopped = bit(2); fall(2) }
#endif
#if PARTIES > 3
    :: d_step { may_stop -> stopped = bit(3); fall(3) }
#endif
#endif
#ifndef WILLING
    :: d_step { !healed -> healed = true }
#endif
    od
}

init
{
    byte c, p;
    atomic {
        for (c : 0 .. CONTRACTS - 1) {
            for (p : 0 .. PARTIES - 1) {
                if
                :: has(parties(c), p) -> run Passenger(c, p)
                :: else
                fi
            }
        }
        c = 0;
        p = 0;
        run Fate();
        run Judge();
    }
}
