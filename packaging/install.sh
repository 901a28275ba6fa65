#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs seatagent from the folder in which this script stands, or removes it.
#   sh install.sh                        below /usr/local
#   sh install.sh PREFIX=$HOME/.local    below another folder; DESTDIR=ROOT puts all that below ROOT
#   sh install.sh check                  only says what is missing here
#   sh install.sh uninstall              removes what it installed; PREFIX and DESTDIR as before
# Ends with 1 and installs nothing if the files are damaged or a library is missing. It keeps what
# the program wrote for you: keys, messages and settings stay in your home.
set -eu

PREFIX=${PREFIX:-/usr/local}
DESTDIR=${DESTDIR:-}
verb=install
usage() { sed -n 's/^#   \(sh install.sh.*\)/\1/p' "$0"; }
for word in "$@"; do
    case $word in
    PREFIX=*) PREFIX=${word#*=} ;;
    DESTDIR=*) DESTDIR=${word#*=} ;;
    install | check | uninstall) verb=$word ;;
    -h | --help) usage; exit 0 ;;
    *) echo "install.sh: unknown word $word" >&2; usage >&2; exit 2 ;;
    esac
done
fail() { printf 'install.sh: %s\n' "$@" >&2; exit 1; }
case $PREFIX in
# systemd reads these in the unit's line in its own way, and sed in its.
*[[:space:]\"\'\\\%\&\|\$]*) fail "PREFIX has a character that a unit cannot hold: $PREFIX" ;;
/*) ;;
*) fail "PREFIX must begin with /: $PREFIX" ;;
esac
# As it is compared with what dirname says.
while [ "$PREFIX" != "${PREFIX%/}" ]; do PREFIX=${PREFIX%/}; done
case $DESTDIR in
'' | /*) ;;
*) DESTDIR=$PWD/$DESTDIR ;;
esac
cd "$(dirname "$0")"

# Everything below these folders is installed; what else is here goes among the documents.
files=$(sed 's/^[0-9a-f]*  //' SHA256SUMS)
target() {
    case $1 in
    bin/* | libexec/* | share/*) printf '%s/%s' "$DESTDIR$PREFIX" "$1" ;;
    install.sh) ;;
    *) printf '%s/share/doc/seatagent/%s' "$DESTDIR$PREFIX" "$1" ;;
    esac
}

# Debian 13 has an empty libexec below /usr/local, Debian 12 has none: this says if it is ours.
libexec=$DESTDIR$PREFIX/libexec
made=$(target made-libexec)

if [ "$verb" = uninstall ]; then
    keep=/libexec
    [ ! -e "$made" ] || { rm -f "$made"; keep=''; }
    printf '%s\n' "$files" | while read -r file; do
        path=$(target "$file")
        [ -z "$path" ] || [ ! -e "$path" ] || { rm -f "$path"; echo "removed $path"; }
    done
    # Folders that are empty now, the deepest first.
    printf '%s\n' "$files" | while read -r file; do
        path=$(target "$file")
        while [ -n "$path" ] && [ "$path" != "$DESTDIR$PREFIX" ] && [ "$path" != / ]; do
            path=$(dirname "$path")
            echo "$path"
        done
    done | sort -ur | while read -r folder; do
        case ${folder#"$DESTDIR$PREFIX"} in
        '' | /bin | /share | /share/man | "$keep") ;;
        *) rmdir "$folder" 2>/dev/null || true ;;
        esac
    done
    exit 0
fi

sha256sum --quiet --check SHA256SUMS || fail 'these files are not as they were packed' \
    'try: download and unpack the tarball again'

# A library and the package that has it: Debian and Ubuntu, Fedora, openSUSE, Arch.
packages='
libavahi-common.so.3 libavahi-common3            avahi-libs           libavahi-common3 avahi
libdns_sd.so.1       libavahi-compat-libdnssd1   avahi-compat-libdns_sd libdns_sd      avahi
libdbus-1.so.3       libdbus-1-3                dbus-libs            libdbus-1-3      dbus
libcrypto.so.3       libssl3                     openssl-libs         libopenssl3      openssl
libssl.so.3          libssl3                     openssl-libs         libopenssl3      openssl
libncursesw.so.6     libncursesw6                ncurses-libs         libncurses6      ncurses
libtinfo.so.6        libtinfo6                   ncurses-libs         libncurses6      ncurses
libsodium.so.23      libsodium23                 -                    libsodium23      -
libqrencode.so.4     libqrencode4                qrencode-libs        libqrencode4     qrencode
libmicrohttpd.so.12  libmicrohttpd12             libmicrohttpd        libmicrohttpd12  libmicrohttpd
libgnutls.so.30      libgnutls30                 gnutls               libgnutls30      gnutls
libmosquitto.so.1    libmosquitto1               mosquitto            libmosquitto1    mosquitto
libsqlite3.so.0      libsqlite3-0                sqlite-libs          libsqlite3-0     sqlite
libstdc++.so.6       libstdc++6                  libstdc++            libstdc++6       gcc-libs
libgcc_s.so.1        libgcc-s1                   libgcc               libgcc_s1        gcc-libs
libbz2.so.1.0        libbz2-1.0                  -                    libbz2-1         bzip2
libz.so.1            zlib1g                      zlib-ng-compat       libz1            zlib
zoneinfo             tzdata                      tzdata               timezone         tzdata
'
family=$(. /etc/os-release 2>/dev/null && echo "${ID:-} ${ID_LIKE:-}") || family=''
case " $family " in
*' debian '* | *' ubuntu '*) column=2 install='apt-get install --no-install-recommends' ;;
*' fedora '* | *' rhel '*) column=3 install='dnf install' ;;
*' suse '* | *' opensuse '*) column=4 install='zypper install' ;;
*' arch '*) column=5 install='pacman -S' ;;
*) column=0 ;;
esac

# What the dynamic linker says of each program, and of the libraries that come along.
command -v ldd >/dev/null || fail 'there is no ldd, so nobody knows which libraries are missing'
said=''
for file in $files; do
    case $file in
    bin/* | libexec/*)
        said="$said
$(ldd "./$file" 2>&1)" || fail "$file does not run here: this machine is $(uname -m)" \
            "try: the tarball for $(uname -m), or build it here: make install"
        ;;
    esac
done
old=$(printf '%s\n' "$said" | sed -n "s/.*version .\([A-Z]*_[0-9.]*\)' not found.*/\1/p" | sort -u)
if [ -n "$old" ]; then
    fail "this system is older than Debian 12: its libraries lack $(echo $old)" \
        'try: build it here: make install'
fi
missing=$(printf '%s\n' "$said" | sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p' | sort -u)
[ -e /usr/share/zoneinfo/UTC ] || missing="$missing zoneinfo"
if [ -n "$(echo $missing)" ]; then
    names='' unknown=''
    for library in $missing; do
        name=$(printf '%s' "$packages" | while read -r line; do
            # shellcheck disable=SC2086
            set -- $line
            [ "${1:-}" != "$library" ] || [ $column = 0 ] || eval "echo \${$column}"
        done)
        case $name in
        '' | -) unknown="$unknown $library" ;;
        *) case " $names " in *" $name "*) ;; *) names="$names $name" ;; esac ;;
        esac
    done
    printf 'install.sh: missing here: %s\n' "$(echo $missing)" >&2
    [ -z "$unknown" ] || printf 'install.sh: no package is known for:%s\n' "$unknown" >&2
    [ -z "$names" ] || printf 'try: %s%s\n' "$install" "$names" >&2
    [ -n "$names" ] || echo 'try: build it here: make install' >&2
    exit 1
fi
if [ "$verb" = check ]; then
    echo 'nothing is missing here'
    exit 0
fi

parent=$DESTDIR$PREFIX
while [ ! -d "$parent" ]; do parent=$(dirname "$parent"); done
[ -w "$parent" ] || fail "$parent cannot be written" \
    "try: sudo sh install.sh, or: sh install.sh PREFIX=\$HOME/.local"
new=''
[ -d "$libexec" ] || new=yes
printf '%s\n' "$files" | while read -r file; do
    path=$(target "$file")
    [ -n "$path" ] || continue
    mode=644
    case $file in *.so.*) ;; bin/* | libexec/*) mode=755 ;; esac
    # A new file takes the place of a program that runs, instead of changing it below its feet.
    install -D -m "$mode" "$file" "$path.new"
    case $file in
    */seatagent.service) sed "s|^ExecStart=/usr/local/|ExecStart=$PREFIX/|" "$file" >"$path.new" ;;
    esac
    mv -f "$path.new" "$path"
    echo "installed $path"
done
[ -z "$new" ] || install -D -m 644 /dev/null "$made"
case ":$PATH:" in
*":$PREFIX/bin:"*) ;;
*) echo "$PREFIX/bin is not on your PATH" ;;
esac
[ -e /run/avahi-daemon/socket ] || [ -e /var/run/avahi-daemon/socket ] || echo \
    'avahi-daemon does not run here: agents find each other by it; seatagent doctor says more'
