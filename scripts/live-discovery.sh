#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks discovery against real avahi-daemons: two hosts made of network namespaces, each with a
# system bus and a daemon of its own. Needs root, iproute2, dbus-daemon and avahi-daemon; touches
# nothing outside its namespaces and its temporary folder, and takes everything down on exit.
#   usage: scripts/live-discovery.sh [-v]
set -u
cd "$(dirname "$0")/.." || exit 1
verbose=${1:-}

for tool in ip unshare dbus-daemon avahi-daemon; do
    command -v $tool >/dev/null && continue
    echo "skipped: $tool is not installed"
    exit 0
done
tag=sd$$
if ! ip netns add ${tag}a 2>/dev/null; then
    echo "skipped: no right to make network namespaces"
    exit 0
fi
work=$(mktemp -d)
watchers=()
failures=0

finish() {
    trap - EXIT
    exec 7>&- 8>&-
    for pid in "${watchers[@]}"; do kill "$pid" 2>/dev/null; done
    for side in a b; do
        for daemon in avahi bus; do
            pid=$(cat "$work/$side/$daemon.pid" 2>/dev/null)
            [ -n "$pid" ] && kill -9 "$pid" 2>/dev/null
        done
        ip netns del $tag$side 2>/dev/null
    done
    wait 2>/dev/null
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

start_bus() {
    ip netns exec $tag$1 dbus-daemon --config-file="$work/$1/dbus.conf" --fork --nopidfile \
        --print-pid=3 3>"$work/$1/bus.pid" 7>&- 8>&-
}

# avahi-daemon wants /run/avahi-daemon: it gets a mount namespace with a /run of its own.
start_avahi() {
    DBUS_SYSTEM_BUS_ADDRESS=unix:path=$work/$1/bus ip netns exec $tag$1 unshare -m sh -c "
        mount -t tmpfs tmpfs /run && mkdir -p /run/avahi-daemon
        chown avahi:avahi /run/avahi-daemon
        exec avahi-daemon -f '$work/$1/avahi.conf' --no-drop-root --no-rlimits --no-chroot" \
        >"$work/$1/avahi.log" 2>&1 7>&- 8>&- &
    echo $! >"$work/$1/avahi.pid"
    disown
}

kill_hard() {
    kill -9 "$(cat "$work/$1/$2.pid")" 2>/dev/null
    rm "$work/$1/$2.pid"
}

make_host() {
    mkdir "$work/$1"
    ip -n $tag$1 link set lo up
    ip -n $tag$1 addr add 10.77.0.$2/24 dev v$1
    ip -n $tag$1 link set v$1 up
    cat >"$work/$1/dbus.conf" <<END
<busconfig><type>system</type><listen>unix:path=$work/$1/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/>
<allow own="*"/><allow user="*"/></policy></busconfig>
END
    cat >"$work/$1/avahi.conf" <<END
[server]
host-name=host-$1
use-ipv4=yes
use-ipv6=yes
allow-interfaces=v$1
[publish]
publish-hinfo=no
publish-workstation=no
END
}

tests() {
    local side=$1
    shift
    SEATAGENT_LIVE_AVAHI=1 DBUS_SYSTEM_BUS_ADDRESS=unix:path=$work/$side/bus \
        exec ip netns exec $tag$side "$program" --testing-library swift-testing "$@"
}

# watch SIDE: prints what an agent on that host is told, until its input ends.
watch() { SEATAGENT_LIVE_WATCH=1 tests "$1" --filter LiveTests/watch; }

lines() { grep -c -- "$2" "$work/$1.out"; }

# The label under which this side is published now.
label() { grep ' registered ' "$work/$1.out" | tail -1 | cut -d ' ' -f 3; }

# expect SIDE PATTERN COUNT SECONDS WORDS: so many lines match within that time.
expect() {
    local end=$((SECONDS + $4))
    while [ "$(lines "$1" "$2")" -lt "$3" ] && [ $SECONDS -lt $end ]; do sleep 0.1; done
    if [ "$(lines "$1" "$2")" -ge "$3" ]; then
        echo "ok    $5"
    else
        echo "FAIL  $5"
        failures=$((failures + 1))
    fi
}

swift build --build-tests -Xcxx -O2 >"$work/build.log" 2>&1 || {
    tail -20 "$work/build.log"
    exit 1
}
program=$(echo "$(swift build --show-bin-path)"/*PackageTests.xctest)
ip netns add ${tag}b
ip link add va netns ${tag}a type veth peer name vb netns ${tag}b
make_host a 1
make_host b 2
for side in a b; do
    start_bus $side
    mkfifo "$work/$side.in"
    : >"$work/$side.out"
done
start_avahi a

watch a <"$work/a.in" >"$work/a.out" 2>&1 &
watchers+=($!)
exec 7>"$work/a.in"
expect a ' registered ' 1 60 'published on host a'
watch b <"$work/b.in" >"$work/b.out" 2>&1 7>&- &
watchers+=($!)
exec 8>"$work/b.in"
expect b ' trouble .*is not running.*start avahi-daemon' 1 60 'no daemon on host b: said so'
start_avahi b
expect b ' recovered' 1 40 'daemon on host b started: recovered'
expect b ' registered ' 1 20 'published on host b'
expect b ' found .*10\.77\.0\.1:4000.*\[fe80::.*%[0-9]*\]:4000' 1 20 'b found a, IPv4 and IPv6'
expect a ' found .*10\.77\.0\.2:4000.*\[fe80::.*%[0-9]*\]:4000' 1 20 'a found b, IPv4 and IPv6'

kill_hard b avahi
expect b ' trouble .*stopped' 1 10 'daemon on host b killed: said so'
found=$(lines b ' found ')
start_avahi b
expect b ' registered ' 2 20 'daemon on host b started again: published again'
expect b ' found ' $((found + 1)) 20 'b found a again'
old=$(label b)
echo >&8
expect b ' registered ' 3 20 'network of b changed: published under a new label'
expect a " found $(label b) " 1 20 'a found b under the new label'
expect a " lost $old" 1 30 'a lost the old label of b'

kill_hard b bus
expect b ' trouble .*stopped' 2 10 'bus of host b killed: said so'
kill_hard b avahi
start_bus b
start_avahi b
expect b ' registered ' 4 40 'bus and daemon of host b started again: published again'

kill -STOP "$(cat "$work/b/avahi.pid")"
echo >&8
expect b ' trouble .*does not answer' 1 30 'daemon of host b hangs: said so'
kill -CONT "$(cat "$work/b/avahi.pid")"
expect b ' registered ' 5 60 'daemon of host b goes on: published again'
expect a " found $(label b) " 1 20 'a found b after that'
exec 8>&-
expect a " lost $(label b)" 1 30 'b stopped: a lost it'
exec 7>&-
wait "${watchers[@]}"
watchers=()
for side in a b; do
    if grep -q '^slow' "$work/$side.out"; then
        echo "FAIL  the loop on host $side was kept: $(grep '^slow' "$work/$side.out" | head -3)"
        failures=$((failures + 1))
    else
        echo "ok    the loop on host $side was never kept longer than 20 ms"
    fi
done
(tests a --filter LiveTests/twoAgents) >"$work/two.out" 2>&1
if grep -q 'Test run with .* passed' "$work/two.out"; then
    echo 'ok    two agents on one host found and lost each other'
else
    echo 'FAIL  two agents on one host'
    failures=$((failures + 1))
fi
if [ -n "$verbose" ] || [ $failures -gt 0 ]; then
    for out in a b two; do echo "--- $out"; cat "$work/$out.out"; done
fi
[ $failures -eq 0 ]
