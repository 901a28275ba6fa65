#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One short line about your agent, for the status bar of tmux, waybar or i3: `14C 13+ !1`.
# 13 others aboard, one request that waits for you; `14C 0/5` where five are known and none is
# within reach; `14C alone`, or nothing when no agent runs.
#   tmux      set -g status-right '#(~/bin/status-line.sh)'
#   waybar    "custom/seatagent": {"exec": "~/bin/status-line.sh", "interval": 5}
set -eu

status=$("${SEATAGENT:-seatagent}" status --json 2>/dev/null) || exit 0

# The first number, or the first seat, after a name in the JSON.
number() { printf '%s\n' "$status" | sed -n "s/.*\"$1\":\([0-9][0-9]*\).*/\1/p"; }

seat=$(printf '%s\n' "$status" | sed -n 's/.*"me":{[^}]*"seats":\["\([0-9A-Z]*\)".*/\1/p')
aboard=$(number aboard)
away=$(number away)
waiting=$(printf '%s\n' "$status" | sed -n 's/.*"requests":{[^}]*"in":\([0-9]*\).*/\1/p')

line=${seat:-no seat}
if [ "${aboard:-0}" -gt 0 ]; then
    line="$line $aboard+"
elif [ "${away:-0}" -gt 0 ]; then
    line="$line 0/$away"
else
    line="$line alone"
fi
[ "${waiting:-0}" -eq 0 ] || line="$line !$waiting"
printf '%s\n' "$line"
