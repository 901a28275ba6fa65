#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Called by the view with a title and a text when somebody wants something of you.
#   seatagent config set notify.command /path/to/notify-hook.sh
# Keeps a list, and shows the text in every tmux of yours. What passengers write comes as a plain
# argument and stays one: quote "$2", and never let a shell read it.
set -eu

list=${XDG_STATE_HOME:-$HOME/.local/state}/seatagent/calls
printf '%s  %s: %s\n' "$(date +%H:%M)" "$1" "$2" >>"$list"

# tmux reads `#` and `%` in what it shows, and runs `#(commands)`: two of them are a plain one.
if [ -n "${TMUX:-}" ]; then
    text=$(printf '%s: %s' "$1" "$2" | sed 's/[#%]/&&/g')
    tmux list-clients -F '#{client_name}' | while read -r client; do
        tmux display-message -c "$client" -- "$text"
    done
fi
