#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Asks your agent one thing over its control socket, with socat and nothing else.
#   api-socat.sh                                     status
#   api-socat.sh peers
#   api-socat.sh say '"text":"hello from a script"'
# Prints the reply, one JSON object; ends with 1 when the agent said no.
set -eu

op=${1:-status}
members=${2:+,$2}
profile=${SEATAGENT_PROFILE:-default}
folder=${XDG_RUNTIME_DIR:+$XDG_RUNTIME_DIR/seatagent}
path=${SEATAGENT_SOCKET:-${folder:-/tmp/seatagent-$(id -u)}/$profile.sock}

# Anybody could have made a socket in /tmp: it has to be in a directory of your own, closed to
# others.
# socat cannot ask the kernel who serves it, as api.py does.
place=$(dirname "$path")
if [ -e "$place" ] && { [ -L "$place" ] || [ ! -O "$place" ] ||
    [ "$(stat -c %a "$place")" != 700 ]; }; then
    echo "$place is not a directory of your own with mode 0700" >&2
    exit 8
fi

# The agent greets first. Its reply has our id; a line of input that ends is no reason to leave.
reply=$(printf '{"id":1,"op":"%s"%s}\n' "$op" "$members" |
    socat -t 10 - "UNIX-CONNECT:$path" | grep -m 1 '"id":1[,}]') ||
    { echo 'no agent answered' >&2; exit 3; }
printf '%s\n' "$reply"
case $reply in *'"ok":true'*) ;; *) exit 1 ;; esac
