/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The desk of a venue, its ledger, and two who want one place (docs/protocol.md sections 32, 33):
 * in every order in which they ask, give back, hear and meet each other, and in which the desk
 * dies, is put back from a copy, begins the next epoch, or (FORK) signs two ledgers.
 *
 * An entry is GRANT(b), or CLOSE(i), which ends the grant at place i. All are one event at a time;
 * what is on the disk and what is said are two events. A mutant changes one of them.
 */

/* Each claim has a constant with its name that is always false: when it breaks, Spin prints it. */
hidden byte S1_two_never_have_one_place = 0;
hidden byte S2_no_grant_that_somebody_read_is_lost = 0;
hidden byte S3_a_desk_writes_no_void_grant = 0;
hidden byte it_happened = 0;

#define MOST 5
#define PEOPLE 2
#define NOBODY 2
#define GRANT(b) (1 + (b))
#define CLOSE(i) (8 + (i))
#define NEVER 15

typedef Ledger { byte entry[MOST]; byte count };

Ledger disk, memory, copied, known[PEOPLE];

bool up = true, is_open = true, has_copy, is_restored, is_forked, have_met;
byte restores, deaths;
/* The next epoch: what of the first ledger counts in it; NEVER while there is none. Who has heard
 * of it. */
byte before = NEVER;
bool told[PEOPLE];
/* What each asked, and what the desk said to it. */
bool asked[PEOPLE], gives_back[PEOPLE], answered[PEOPLE];
/* Where the grant stands that somebody has read; NEVER for none. */
byte saw[PEOPLE] = NEVER;
/* What of their ledger counts for somebody who knows of a fork. */
byte fork_at[PEOPLE] = NEVER;

/* What a fold comes to: who has the place, by which grant, and how many grants are void. */
hidden byte holder, held_by, voids, at, differs, the_end;

inline fold(ledger, limit)
{
    holder = NOBODY; held_by = NEVER; voids = 0; at = 0;
    do
    :: at < limit && at < ledger.count ->
        if
        :: ledger.entry[at] >= CLOSE(0) ->
            if
            :: held_by == ledger.entry[at] - CLOSE(0) -> holder = NOBODY; held_by = NEVER
            :: else
            fi
        :: ledger.entry[at] < CLOSE(0) && holder == NOBODY ->
            holder = ledger.entry[at] - GRANT(0); held_by = at
        :: else -> voids++
        fi;
        at++
    :: else -> break
    od;
    at = 0
}

inline set(to, from)
{
    to.count = from.count; at = 0;
    do
    :: at < from.count -> to.entry[at] = from.entry[at]; at++
    :: at >= from.count && at < MOST -> to.entry[at] = 0; at++
    :: else -> break
    od;
    at = 0
}

/* The desk finds in its ledger whom it has granted what they asked. */
inline look()
{
    answered[0] = false; answered[1] = false; at = 0;
    do
    :: at < memory.count ->
        if
        :: memory.entry[at] < CLOSE(0) -> answered[memory.entry[at] - GRANT(0)] = true
        :: else
        fi;
        at++
    :: else -> break
    od;
    at = 0
}

/* The first place at which two ledgers say different things; NEVER for none. */
inline compare(one, other)
{
    differs = NEVER; at = 0;
    do
    :: at < one.count && at < other.count && differs == NEVER ->
        if
        :: one.entry[at] != other.entry[at] -> differs = at
        :: else
        fi;
        at++
    :: else -> break
    od;
    at = 0
}

/* Somebody reads their ledger: they are told "booked", or that it has ended. */
inline read(b)
{
    the_end = fork_at[b];
    if
    :: told[b] && before < the_end -> the_end = before
    :: else
    fi;
    fold(known[b], the_end);
    if
    :: holder == b -> saw[b] = held_by
    :: else -> saw[b] = NEVER
    fi;
    at = 0
}

inline append(what)
{
    memory.entry[memory.count] = what; memory.count++;
#ifndef MUTANT_GRANTS_BEFORE_DISK
    disk.entry[disk.count] = what; disk.count++
#endif
}

/* What a living desk writes follows all that anybody has read, and nothing of it is void. */
inline check()
{
    fold(memory, NEVER);
    if
    :: voids > 0 -> assert(S3_a_desk_writes_no_void_grant)
    :: else
    fi;
    at = 0;
    do
    :: at < PEOPLE ->
        if
        :: saw[at] == NEVER || before != NEVER || is_forked
        :: else ->
            if
            :: saw[at] < memory.count && memory.entry[saw[at]] == GRANT(at)
            :: else -> assert(S2_no_grant_that_somebody_read_is_lost)
            fi
        fi;
        at++
    :: else -> break
    od;
    at = 0
}

#define works (up && is_open && memory.count < MOST && !is_forked)
#define has_it(b) (saw[b] != NEVER && !gives_back[b])

/* Two read "booked" at once, and have not given it back, only where one of them has not heard yet:
 * that the desk signed two ledgers, or that the next epoch does not have theirs. */
#define may_differ ((is_forked && !have_met) || (before != NEVER && !(told[0] && told[1])))

inline person(b)
{
    if
    :: atomic { !asked[b] -> asked[b] = true }
    :: atomic { saw[b] != NEVER && !gives_back[b] -> gives_back[b] = true }
    /* The desk takes an ask: it is granted, or it waits. */
    :: atomic { works && asked[b] && !answered[b] && before == NEVER ->
        d_step { fold(memory, NEVER) }
        if
        :: holder == NOBODY -> d_step { append(GRANT(b)); answered[b] = true; check() }
        :: else
        fi }
    :: atomic { works && gives_back[b] && before == NEVER ->
        d_step { fold(memory, NEVER) }
        if
        :: holder == b ->
            d_step {
#ifdef MUTANT_CLOSE_WITHOUT_RELEASE
                /* The place counts as free, and the ledger does not say so. */
                if
                :: asked[1 - b] && !answered[1 - b] ->
                    append(GRANT(1 - b)); answered[1 - b] = true
                :: else
                fi;
#else
                append(CLOSE(held_by));
#endif
                check()
            }
        :: else
        fi }
    /* They hear what the desk has said. */
    :: atomic { up && !is_forked && before == NEVER && known[b].count < memory.count ->
        d_step { compare(known[b], memory);
            if
            :: differs == NEVER -> set(known[b], memory)
            :: else -> fork_at[b] = differs
            fi;
            read(b) } }
    /* They hear of the next epoch. */
    :: atomic { before != NEVER && !told[b] -> d_step { told[b] = true; read(b) } }
    /* A desk that was put back hears what they know. */
    :: atomic { up && !is_open && before == NEVER && known[b].count > memory.count ->
        d_step { compare(known[b], memory);
            if
            :: differs == NEVER -> set(memory, known[b]); set(disk, known[b]); look()
            :: else
            fi;
            at = 0 } }
    fi
}

/* The two meet, and tell each other what they know. */
inline meet()
{
    compare(known[0], known[1]);
    if
#ifdef MUTANT_DEAF_TO_A_FORK
    :: differs != NEVER -> skip
#else
    :: differs != NEVER -> fork_at[0] = differs; fork_at[1] = differs
#endif
    :: differs == NEVER && known[0].count < known[1].count && fork_at[0] == NEVER ->
        set(known[0], known[1])
    :: differs == NEVER && known[1].count < known[0].count && fork_at[1] == NEVER ->
        set(known[1], known[0])
    :: else
    fi;
    if
    :: fork_at[0] < fork_at[1] -> fork_at[1] = fork_at[0]
    :: else -> fork_at[0] = fork_at[1]
    fi;
    told[0] = told[0] || told[1]; told[1] = told[0];
    have_met = true;
    read(0); read(1)
}

active proctype world()
{
    do
    :: person(0)
    :: person(1)
    :: atomic { have_met = false; d_step { meet() } }
    /* kill -9, and a start. What was not on the disk is gone. */
    :: atomic { up && deaths < 2 && !is_forked -> d_step { up = false; deaths++; is_open = false } }
    :: atomic { !up -> d_step { up = true;
#ifndef MUTANT_A_START_READS_NOTHING
            set(memory, disk);
#else
            memory.count = 0; disk.count = 0;
#endif
            look() } }
#ifdef MUTANT_GRANTS_BEFORE_DISK
    :: atomic { up && disk.count < memory.count -> d_step { set(disk, memory) } }
#endif
    /* A backup; and the disk is put back from it. */
    :: atomic { !has_copy -> d_step { has_copy = true; set(copied, disk) } }
    :: atomic { !up && has_copy && restores < 1 ->
        d_step { set(disk, copied); is_restored = true; restores++ } }
    /* The desk opens: by itself where its disk is its own; else once all that anybody has heard of
     * is back, by the operator's word. */
    :: atomic { up && !is_open && !is_restored && before == NEVER -> is_open = true }
#ifdef MUTANT_OPENS_AFTER_RESTORE
    :: atomic { up && !is_open && is_restored && before == NEVER -> is_open = true }
#else
    :: atomic { up && !is_open && is_restored && before == NEVER &&
        memory.count >= known[0].count && memory.count >= known[1].count ->
        is_open = true; is_restored = false }
#endif
    /* Or the next epoch, which names what it knows of the first. */
    :: atomic { up && !is_open && is_restored && before == NEVER -> before = memory.count }
#ifdef FORK
    /* It signs another entry at the same place, and shows it to the second one alone. */
    :: atomic { works && !is_forked && before == NEVER && known[0].count == memory.count &&
        memory.count > 0 && memory.entry[memory.count - 1] == GRANT(0) &&
        known[1].count == memory.count - 1 && fork_at[1] == NEVER ->
        d_step { is_forked = true; have_met = false;
            known[1].entry[known[1].count] = GRANT(1); known[1].count++;
            read(1) } }
#endif
    :: atomic { has_it(0) && has_it(1) && !may_differ ->
        assert(S1_two_never_have_one_place) }
#ifdef REACH_BOTH_SERVED
    :: atomic { answered[0] && answered[1] && saw[1] != NEVER -> assert(it_happened) }
#endif
#ifdef REACH_LOST_PAGE
    :: atomic { before != NEVER && told[0] && known[0].count > before -> assert(it_happened) }
#endif
#ifdef REACH_FORK_SEEN
    :: atomic { is_forked && have_met && fork_at[0] != NEVER -> assert(it_happened) }
#endif
    /* Nothing can happen any more that answers somebody: all who asked a desk that works, and for
     * whom the place is free, have it. */
    :: atomic { works && before == NEVER && (!asked[0] || answered[0]) &&
        (!asked[1] || answered[1]) -> break }
    od
}
