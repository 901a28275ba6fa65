#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Waits until somebody offers a seat in one of the columns named, asks for it, and ends when the
# swap is decided. Your own agent has to be aboard. --unverified: you know that your seat may stay
# locked if whoever offered it, and whom nobody verified, disappears in the second that decides.
#   usage: wait-for-offer.sh [LETTERS]        wait-for-offer.sh AF   a window, of six abreast
set -eu

seatagent=${SEATAGENT:-seatagent}
letters=${1:-AF}

# One JSON object a line; an offer names its seats: {"event":"offer","seats":["12A"],...}
seat=$("$seatagent" watch offer | while read -r event; do
    found=$(printf '%s\n' "$event" | sed -n "s/.*\"seats\":\[[^]]*\"\([0-9]*[$letters]\)\".*/\1/p")
    if [ -n "$found" ]; then
        printf '%s\n' "$found"
        break
    fi
done)
[ -n "$seat" ] || { echo 'the agent has gone' >&2; exit 3; }

echo "$seat is offered: asking"
exec "$seatagent" swap "$seat" --note 'you offered it' --unverified --wait
