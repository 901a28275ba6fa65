/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What must hold in every state, and in the last one. Each claim has a constant with its name
 * that is always false: when it breaks, Spin prints that name.
 */
hidden byte S1_one_complete_contract_per_seat = 0;
hidden byte S2_all_commit_or_nobody_does = 0;
hidden byte S3_no_exit_from_a_yes_without_a_signed_no = 0;
hidden byte S4_nobody_is_left_in_doubt = 0;
hidden byte S5_who_is_left_in_doubt_was_warned = 0;
hidden byte S6_who_was_asked_is_never_left_in_doubt = 0;
hidden byte S7_of_several_asks_on_a_seat_one_gets_a_yes = 0;
hidden byte S8_no_yes_without_an_ask_that_stands = 0;
hidden byte S9_two_who_ask_each_other_swap = 0;
hidden byte it_happened = 0;

/* For whichever passenger; a macro is given the name of another. */
#if PARTIES == 2
#define any(c, fact) (fact(c, 0) || fact(c, 1))
#elif PARTIES == 3
#define any(c, fact) (fact(c, 0) || fact(c, 1) || fact(c, 2))
#else
#define any(c, fact) (fact(c, 0) || fact(c, 1) || fact(c, 2) || fact(c, 3))
#endif

#define lacks_yes(c, p)  (has(parties(c), p) && !yes_of(c, p))
#define commits(c, p)    (state[at(c, p)] == committed)
#define commits_not(c, p) (state[at(c, p)] == refused || state[at(c, p)] == abandoned)
#define abandons(c, p)   (state[at(c, p)] == abandoned)

/* A certificate exists: whoever collects the votes has it. The contracts of a run share a seat.
 * */
#define complete(c) (!any(c, lacks_yes))
#if CONTRACTS == 2
#define S1 (!(complete(0) && complete(1)))
#else
#define S1 true
#endif

#define S2(c) (!(any(c, commits) && any(c, commits_not)))

/* Whoever signed a yes waits, or committed, or somebody else signed a no. */
#define no_but_of(c, p) ((p != 0 && no_of(c, 0)) || (p != 1 && no_of(c, 1)) \
    || (PARTIES > 2 && p != 2 && no_of(c, 2 % PARTIES)) \
    || (PARTIES > 3 && p != 3 && no_of(c, 3 % PARTIES)))
#define slipped_out(c, p) (yes_of(c, p) && state[at(c, p)] != prepared \
    && state[at(c, p)] != committed && !no_but_of(c, p))
#define S3(c) (!any(c, slipped_out))

/* Only the coordinator's death can leave others in doubt; if they vote first, anybody's. */
#if defined(COORDINATOR_FIRST) && !defined(MUTANT_COORDINATOR_FIRST)
#define can_decide(c) ((stopped & parties(c)) == 0)
#else
#define can_decide(c) (!has(stopped, by(c)))
#endif
#define in_doubt(c, p) (state[at(c, p)] == prepared && !has(stopped, p) && can_decide(c))
#define S4(c) (!any(c, in_doubt))

/* When somebody vanishes: whose seat is left stuck, and what they knew. In a pair one was asked;
 * by PROPOSE, as pairs once were, it is who does not coordinate. */
#define is_pair(c) (((parties(c) & (parties(c) - 1)) & ((parties(c) & (parties(c) - 1)) - 1)) == 0)
#define was_chosen(c, p) ((by_ask(c) || !is_pair(c)) == (p == by(c)))
#define stuck(c, p)      (state[at(c, p)] == prepared && !has(stopped, p))
#define unwarned(c, p)   (stuck(c, p) && !has(warned, at(c, p)))
#define asked_and_stuck(c, p) (is_pair(c) && was_chosen(c, p) && stuck(c, p))
#define S5(c) (!any(c, unwarned))
#define S6(c) (!any(c, asked_and_stuck))

#define S7(c) (!(has(outdone, c) && yes_of(c, asker(c))))
#define S8(c) (!(by_ask(c) && yes_of(c, asker(c)) && !has(asks, c)))

/* Both want the same, and nobody else wants anything. */
#define S9 ((!any(0, lacks_commit)) || (!any(1, lacks_commit)))

/* What must be able to happen, or else the claims say nothing. */
#if defined(REACH_FIRST)
#define REACH (!any(0, lacks_commit))
#elif defined(REACH_SECOND)
#define REACH (!any(1, lacks_commit))
#elif defined(REACH_WAY_OUT)
#define REACH (any(0, abandons) && !any(1, lacks_commit))
#elif defined(REACH_NEXT)
/* Passenger 1 agreed with 0, who vanished without another word; and swaps with 2. */
#define agreed (asked[0] && (by_ask(0) || yes_of(0, 1)))
#define REACH (agreed && has(stopped, 0) && !no_of(0, 0) && !any(1, lacks_commit))
#elif defined(REACH_REMINT)
/* Forced while in doubt about contract 0, and freed; contract 1 asks for the seat claimed anew.
 * */
#define REACH (abandons(0, 1) && has(reminted, 1) && state[at(1, 1)] == prepared)
#endif
#define lacks_commit(c, p) (has(parties(c), p) && !commits(c, p))

/* Takes no part; each line can run only where a claim is broken. */
proctype Judge()
{
end:
    do
    :: d_step { !S1 -> assert(S1_one_complete_contract_per_seat) }
    :: d_step { !S2(0) -> assert(S2_all_commit_or_nobody_does) }
    :: d_step { !S3(0) -> assert(S3_no_exit_from_a_yes_without_a_signed_no) }
    :: atomic { timeout && !S4(0) -> assert(S4_nobody_is_left_in_doubt) }
#if CONTRACTS == 2
    :: d_step { !S2(1) -> assert(S2_all_commit_or_nobody_does) }
    :: d_step { !S3(1) -> assert(S3_no_exit_from_a_yes_without_a_signed_no) }
    :: atomic { timeout && !S4(1) -> assert(S4_nobody_is_left_in_doubt) }
#endif
#ifdef GRIEFER
    :: atomic { timeout && !S5(0) -> assert(S5_who_is_left_in_doubt_was_warned) }
    :: atomic { timeout && !S6(0) -> assert(S6_who_was_asked_is_never_left_in_doubt) }
#if CONTRACTS == 2
    :: atomic { timeout && !S5(1) -> assert(S5_who_is_left_in_doubt_was_warned) }
    :: atomic { timeout && !S6(1) -> assert(S6_who_was_asked_is_never_left_in_doubt) }
#endif
#endif
#ifdef ASKED
    :: d_step { !S8(0) -> assert(S8_no_yes_without_an_ask_that_stands) }
#if CONTRACTS == 2
    :: d_step { !S7(0) || !S7(1) -> assert(S7_of_several_asks_on_a_seat_one_gets_a_yes) }
    :: d_step { !S8(1) -> assert(S8_no_yes_without_an_ask_that_stands) }
#endif
#endif
#ifdef WILLING
    :: atomic { timeout && !S9 -> assert(S9_two_who_ask_each_other_swap) }
#endif
#ifdef REACH
    :: d_step { REACH -> assert(it_happened) }
#endif
    od
}
