#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Frees what a meeting point keeps and nobody needs. Needs mosquitto-clients; seatmeet-sweep.timer
# runs it each night, as user mosquitto.
#
#   sweep.sh [SOCKET]            drops messages whose time is over
#   sweep.sh --endless [SOCKET]  also clears those without an end, which no agent leaves; takes
#                                five minutes
set -eu

endless=
[ "${1:-}" != --endless ] || { endless=yes; shift; }
socket=${1:-/run/mosquitto/operator.sock}
digits='0 1 2 3 4 5 6 7 8 9 a b c d e f'
# Agents leave nothing for longer than 96 hours.
longest=345600

# mosquitto 2.0 forgets a message whose time is over when a new subscription matches it, and not
# before. It does so before it takes the subscription, and we go then. A client that takes no packet
# over 128 bytes is sent none of the messages. In sixteen steps: it serves nobody during one.
for first in $digits; do
    set --
    for second in $digits; do set -- "$@" -t "sa1/$first$second/#"; done
    mosquitto_sub --unix "$socket" -V 5 -D connect maximum-packet-size 128 -E -W 60 "$@"
done
[ -n "$endless" ] || exit 0

# One shard at a time, so that the broker's queue for us does not overflow: what it drops today is
# there another night. %E is empty for a message that never ends.
for first in $digits; do
    for second in $digits; do
        mosquitto_sub --unix "$socket" -V 5 --quiet -W 1 --retained-only -F '%t %E' \
            -t "sa1/$first$second/#" || [ $? = 27 ] ||
            echo "sweep.sh: shard $first$second was not read" >&2
    done
done | while read -r topic left; do
    [ "${left:-$((longest + 1))}" -gt "$longest" ] || continue
    mosquitto_pub --unix "$socket" -V 5 -r -n -t "$topic"
done
