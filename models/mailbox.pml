/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Consent by ASK (docs/protocol.md section 16) where the ASK also lies in a mailbox, as a letter with
 * an end (docs/meet.md section 4), and the asked says a yes that stands: in every order in which one
 * asks, takes back, changes what they ask, goes away and comes back, the other reads, says yes and
 * takes it back, and the mailbox loses, repeats, withholds and gives older letters again.
 *
 * There are two requests, 1 and 2, asked one after the other: 2 is 1 changed, or a new one. One event
 * at a time. Sessions keep what is said in order, and lose what is under way when they break. Votes
 * are in logs: they are read in any session. A mutant changes one rule.
 */

/* Each claim has a constant with its name that is always false: when it breaks, Spin prints it. */
hidden byte S1_no_vote_of_the_asker_without_an_ask_that_stands = 0;
hidden byte S2_nothing_is_bound_without_a_yes_that_stands = 0;
hidden byte S3_a_letter_alone_leads_to_no_prepare = 0;
hidden byte S4_no_letter_revives_what_is_over = 0;
hidden byte S5_two_who_consent_and_stay_swap = 0;
hidden byte S6_nobody_is_left_in_doubt = 0;
hidden byte S7_what_is_over_is_shown_to_nobody_who_stays = 0;
hidden byte it_happened = 0;

#define bit(v)       (1 << (v))
#define has(mask, v) (((mask) & bit(v)) != 0)
#define LETTERS      6
/* Without NO_TIME each request may come to its end at any moment. */
#ifdef NO_TIME
#define has_time false
#else
#define has_time (!healed)
#endif

mtype = { ASK, WITHDRAW, PREPARE }

/* What lies in the asker's lane: the request in each letter ever written, 0 for none. */
byte letter[LETTERS];
byte written;
/* Every yes that a letter of the asked ever said, as a mask of requests. */
byte yes_letters;

/* The asker, on disk: the request that stands, those asked ever, those over, their votes. */
byte stands, asks, over, voted_yes, voted_no;
/* In memory, for as long as the session lasts: what was said in it. */
byte said_ask, said_withdraw;

/* The asked, on disk: what is shown because of a letter, or of a session; the last letter read;
 * what the asker or a vote ended; the request to which the yes that stands says yes; what is being
 * bound, and in which session that began; the own vote on each. */
byte by_letter, by_session, last_read, ended, yes, preparing, bound, refused;
bool is_first;
/* In memory: ASKs of this session. */
byte heard_ask;

bool online[2] = true;
bool session, healed;
/* Time: requests that are past their end, for everybody. */
byte expired;
chan there = [4] of { mtype, byte };
chan back = [2] of { mtype, byte };

/* For the claims alone: what was said in this session, letters that were read and then left out,
 * and whether the two had met when the yes was said. */
byte truly_said, left_out;
bool met, by_mail;

#define shown (by_letter | by_session)
#define is_undecided(v) (!has(voted_yes | voted_no, v))

inline clear(channel)
{
    do
    :: len(channel) > 0 -> channel?_, _
    :: else -> break
    od
}

/* The session breaks: what is under way is lost, what was in memory only is gone. */
inline part()
{
    session = false;
    clear(there);
    clear(back);
    said_ask = 0; said_withdraw = 0; truly_said = 0;
    is_first = false;
#ifndef MUTANT_AN_OLD_ASK_COUNTS
    heard_ask = 0
#endif
}

/* ---- the asker ---- */

inline ask(v)
{
    asks = asks | bit(v);
    stands = v
}

/* The user takes it back, asks for something else, or its time is up. */
inline take_back()
{
    over = over | bit(stands);
    stands = 0
}

/* What the last letter said. */
#define last_letter (written == 0 -> 0 : letter[written - 1])

#ifdef MUTANT_AN_ASK_IS_NOT_REPEATED
/* A letter has said it. */
#define is_told (written == 0)
#else
#define is_told true
#endif

inline answer_prepare(v)
{
    if
#ifdef MUTANT_A_YES_WITHOUT_AN_ASK
    :: is_undecided(v) ->
#else
    :: is_undecided(v) && stands == v && !has(expired, v) ->
#endif
        voted_yes = voted_yes | bit(v);
        if
        :: stands != v || has(expired, v) || !session ->
            assert(S1_no_vote_of_the_asker_without_an_ask_that_stands)
        :: else
        fi
    :: else ->
        if
        :: is_undecided(v) -> voted_no = voted_no | bit(v)
        :: else
        fi
    fi
}

/* ---- the asked ---- */

/* The request is over here: the yes to it, too. */
inline close(v)
{
    by_letter = by_letter & ~bit(v);
    by_session = by_session & ~bit(v);
#ifndef MUTANT_WHAT_ENDED_IS_FORGOTTEN
    ended = ended | bit(v);
#endif
    left_out = left_out | bit(v);
    if
    :: yes == v -> yes = 0
    :: else
    fi
}

#ifdef MUTANT_OLDER_LETTERS_COUNT
#define unread 0
#else
#define unread last_read
#endif
#define counts(v) ((v) != 0 && !has(expired, v) && !has(ended, v))

/* Whatever letter the mailbox gives: all that lie there, so what a newer one leaves out is gone. */
inline read(n)
{
    left_out = left_out | by_letter & ~bit(letter[n]);
    last_read = n + 1;
    if
    :: counts(letter[n]) ->
        by_letter = bit(letter[n]);
        if
        :: has(left_out, letter[n]) -> assert(S4_no_letter_revives_what_is_over)
        :: else
        fi
    :: else -> by_letter = 0
    fi;
    if
    :: yes != 0 && !has(shown, yes) && preparing == 0 -> yes = 0
    :: else
    fi
}

inline say_yes(v)
{
    yes = v;
    by_mail = !met
}

#ifdef MUTANT_PREPARE_BY_LETTER
#define has_come(v) has(shown, v)
#else
#define has_come(v) has(heard_ask, v)
#endif
#ifdef MUTANT_A_YES_TO_ANY_REQUEST
#define is_agreed(v) (yes != 0)
#else
#define is_agreed(v) (yes == (v))
#endif
#define may_prepare(v) (session && preparing == 0 && is_agreed(v) && has_come(v) \
    && !has(expired | refused | bound, v) && nfull(back))

inline prepare(v)
{
    preparing = v;
    is_first = true;
    back!PREPARE, v;
    if
    :: !has(truly_said, v) -> assert(S3_a_letter_alone_leads_to_no_prepare)
    :: yes != v -> assert(S2_nothing_is_bound_without_a_yes_that_stands)
    :: else
    fi
}

/* The last vote: it binds. */
inline decide()
{
    if
#ifdef MUTANT_A_YES_TAKEN_BACK_COUNTS
    :: has(voted_yes, preparing) ->
#else
    :: has(voted_yes, preparing) && yes == preparing && !has(expired, preparing) ->
#endif
        bound = bound | bit(preparing);
        if
        :: yes != preparing -> assert(S2_nothing_is_bound_without_a_yes_that_stands)
        :: else
        fi
    :: else -> refused = refused | bit(preparing)
    fi;
    close(preparing);
    preparing = 0
}

#define is_in_doubt(v) (has(voted_yes, v) && !has(bound | refused, v))

active proctype World()
{
    byte n, v;
end:
    do
    /* ---- users and fate, until all is healed ---- */
    :: atomic { !healed && stands == 0 && !has(asks, 1) -> ask(1) }
    :: atomic { !healed && stands == 0 && has(asks, 1) && !has(asks, 2) && voted_yes == 0 -> ask(2) }
    :: atomic { !healed && stands != 0 && is_undecided(stands) -> take_back() }
    :: atomic { !healed && stands == 1 && is_undecided(1) -> take_back(); ask(2) }
    :: atomic { !healed && online[1] && yes == 0 && has(shown, 1) -> say_yes(1) }
    :: atomic { !healed && online[1] && yes == 0 && has(shown, 2) -> say_yes(2) }
    :: atomic { !healed && online[1] && yes != 0 -> yes = 0 }
    :: atomic { has_time && has(asks, 1) && !has(expired, 1) -> expired = expired | bit(1) }
    :: atomic { has_time && has(asks, 2) && !has(expired, 2) -> expired = expired | bit(2) }
    :: atomic { !healed && session -> part() }
    :: atomic { !healed && online[0] -> online[0] = false; part() }
    :: atomic { !healed && online[1] -> online[1] = false; part() }
    :: atomic { !healed && !online[0] -> online[0] = true }
    :: atomic { !healed && !online[1] -> online[1] = true }
    :: atomic { !healed -> healed = true; online[0] = true; online[1] = true }
    :: atomic { !session && online[0] && online[1] -> session = true; met = true }

    /* ---- time goes first ---- */
    :: atomic { online[0] && stands != 0 && has(expired, stands) && is_undecided(stands) ->
           take_back() }
    :: atomic { online[1] && has(shown & expired, 1) && preparing != 1 -> close(1) }
    :: atomic { online[1] && has(shown & expired, 2) && preparing != 2 -> close(2) }

    /* ---- letters: written again where they say something else ---- */
    :: atomic { online[0] && written < LETTERS && last_letter != stands ->
           letter[written] = stands; written++ }
    :: atomic { online[1] && yes != 0 && !has(yes_letters, yes) ->
           yes_letters = yes_letters | bit(yes) }
    :: atomic { online[1] && written > unread ->
           select(n : unread .. written - 1);
           read(n);
           n = 0 }
#ifdef MUTANT_A_YES_BY_MAIL_IS_A_VOTE
    :: atomic { online[0] && stands != 0 && has(yes_letters, stands) && is_undecided(stands) ->
           voted_yes = voted_yes | bit(stands);
           if
           :: !session -> assert(S1_no_vote_of_the_asker_without_an_ask_that_stands)
           :: else
           fi }
#endif

    /* ---- a session: the ASK that stands is said again, what was taken back is, too ---- */
    :: atomic { session && stands != 0 && is_told && !has(said_ask, stands) &&
           is_undecided(stands) && nfull(there) ->
           there!ASK, stands; said_ask = said_ask | bit(stands);
           truly_said = truly_said | bit(stands) }
#ifndef MUTANT_A_WITHDRAWAL_IS_SAID_ONCE
    :: atomic { session && has(over & ~said_withdraw, 1) && nfull(there) ->
           there!WITHDRAW, 1; said_withdraw = said_withdraw | bit(1) }
    :: atomic { session && has(over & ~said_withdraw, 2) && nfull(there) ->
           there!WITHDRAW, 2; said_withdraw = said_withdraw | bit(2) }
#endif
    :: atomic { session && nempty(there) ->
           if
           :: there?ASK, v ->
               if
               :: !has(ended | expired | bound | refused, v) ->
                   heard_ask = heard_ask | bit(v); by_session = by_session | bit(v)
               :: else
               fi
           :: there?WITHDRAW, v ->
               heard_ask = heard_ask & ~bit(v);
               if
               :: preparing != v -> close(v)
               :: else
               fi
           fi;
           v = 0 }

    /* ---- binding: whoever was asked votes last ---- */
    :: atomic { may_prepare(1) -> prepare(1) }
    :: atomic { may_prepare(2) -> prepare(2) }
    :: atomic { session && nempty(back) -> back?PREPARE, v; answer_prepare(v); v = 0 }
    :: atomic { session && preparing != 0 && has(voted_yes | voted_no, preparing) -> decide() }
    /* The session in which it began is gone, the yes was taken back, or the time is up: no. */
    :: atomic { preparing != 0 && online[1] && !has(voted_yes | voted_no, preparing) &&
           (!is_first || yes != preparing || has(expired, preparing)) -> decide() }
    :: atomic { session && stands != 0 && has(bound | refused | voted_no, stands) -> take_back() }

    /* ---- what must be so when nothing more can happen, and what must be able to happen ---- */
#ifdef REACH_SWAP_BY_MAIL
    :: atomic { has(bound, 1) && by_mail -> assert(it_happened) }
#endif
#ifdef REACH_SECOND
    :: atomic { has(bound, 2) && has(refused | over, 1) -> assert(it_happened) }
#endif
#ifdef REACH_NO_IN_THE_LAST_MOMENT
    :: atomic { has(refused, 1) && has(voted_yes, 1) -> assert(it_happened) }
#endif
    od
}

/* Takes no part: what must hold when both stay, and all that can happen has happened. */
active proctype Judge()
{
end:
    do
    :: atomic { timeout && healed && stands != 0 && yes == stands && !has(refused, stands) ->
           assert(S5_two_who_consent_and_stay_swap) }
    :: atomic { timeout && healed && (is_in_doubt(1) || is_in_doubt(2) || preparing != 0) ->
           assert(S6_nobody_is_left_in_doubt) }
    :: atomic { timeout && healed && ((shown & over) != 0) ->
           assert(S7_what_is_over_is_shown_to_nobody_who_stays) }
    od
}
