#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two passengers on one machine, over loopback. On a terminal with tmux: the cabin in two panes for
# you to type in; /quit in both ends it, Ctrl-B o goes to the other. With --play, or off a terminal:
# plays the swap and prints it. Ends by removing all it made. (For two hosts that find each other
# by themselves: make demo.)
set -eu

seatagent=${SEATAGENT:-seatagent}
folder=$(mktemp -d)
export XDG_CONFIG_HOME="$folder/c" XDG_DATA_HOME="$folder/d" XDG_STATE_HOME="$folder/s"
export XDG_RUNTIME_DIR="$folder/r"
mkdir -m 700 "$folder/r"

end() {
    [ ! -S "$folder/tmux" ] || tmux -S "$folder/tmux" kill-server 2>"$folder/end" || true
    "$seatagent" down --profile ada >"$folder/end" 2>&1 || true
    "$seatagent" down --profile bo >"$folder/end" 2>&1 || true
    rm -rf "$folder"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

ada() { printf '\nada$ seatagent %s\n' "$*"; "$seatagent" "$@" --profile ada; }
bo() { printf '\nbo$ seatagent %s\n' "$*"; "$seatagent" "$@" --profile bo; }

# Port 0 lets the system choose; bo is told where ada ended up.
ada up --seat 14C --name ada --interface lo --port 0
port=$("$seatagent" status --json --profile ada |
    sed -n 's/.*"listening":\["[^"]*:\([0-9]*\)".*/\1/p')
bo up --seat 12A --name bo --interface lo --port 0 --peer "127.0.0.1:$port"
ada peers --wait 1 --timeout 10

if [ "${1:-}" != --play ] && [ -t 0 ] && [ -t 1 ] && command -v tmux >/dev/null; then
    tmux -S "$folder/tmux" -f /dev/null \
        new-session "$seatagent --profile ada" \; \
        split-window "$seatagent --profile bo" \; \
        select-pane -t 0
    exit 0
fi

ada say 'hello bo, is 12A a window?'
bo say 'it is. Swap?'
ada swap 12A --note 'aisle for window' --unverified --wait --timeout 30 &
asked=$!

# Scripts can also wait with `seatagent watch request`; see wait-for-offer.sh.
tries=0
until "$seatagent" requests --profile bo | grep -q 12A; do
    tries=$((tries + 1))
    [ $tries -lt 50 ] || { echo 'the request did not reach bo' >&2; exit 1; }
    sleep 0.2
done
bo requests
bo accept 1 --yes --wait
wait $asked
bo log
ada receipt
bo receipt --verify
ada seats
