# SPDX-License-Identifier: Apache-2.0
"""A small world of our own for test hosts: own mounts, own network, own process numbers.

`enter()` runs this same program again inside new Linux namespaces. The kernel takes the whole
world down with its first process, so nothing outlives a run: not after Ctrl-C, not after
kill -9, and no name can clash with another run.

    as root                       unshare --mount --net --pid
    as a normal user              the same inside a user namespace, where these are allowed
    where neither is possible     `enter()` says why, and hosts are this machine's loopback

Inside, /run is an empty tmpfs: the machine's own D-Bus and avahi-daemon cannot be reached.
"""

import atexit
import os
import signal
import subprocess
import sys
import tempfile

INSIDE = "SEATAGENT_E2E_WORLD"
PROBE = """
mount -t tmpfs tmpfs /run && ip link set lo up && ip link add probe0 type veth peer name probe1
"""

#: Why there are no namespaces; empty where there are.
no_namespaces = ""
#: The folder below which hosts keep everything. Short, because socket paths are limited to 107.
folder = ""


def enter():
    """Returns inside the world, or where there can be none, after setting `no_namespaces`."""
    if os.environ.get(INSIDE):
        _begin_inside()
        return
    way = _way_in()
    if way is None:
        _begin_without()
        return
    _run_again(way)


def _way_in():
    global no_namespaces
    if os.environ.get("SEATAGENT_E2E_NO_NAMESPACES"):
        no_namespaces = "SEATAGENT_E2E_NO_NAMESPACES is set"
        return None
    base = ["unshare", "--mount", "--net", "--pid", "--kill-child", "--mount-proc"]
    ways = [base] if os.geteuid() == 0 else []
    ways.append(["unshare", "--user", "--map-root-user"] + base[1:])
    for way in ways:
        try:
            probe = subprocess.run(
                way + ["sh", "-c", PROBE], capture_output=True, text=True, timeout=20)
        except (OSError, subprocess.TimeoutExpired) as error:
            no_namespaces = str(error)
            continue
        if probe.returncode == 0:
            no_namespaces = ""
            return way
        lines = probe.stderr.strip().splitlines()
        no_namespaces = lines[-1] if lines else f"{way[0]} failed"
    return None


def _run_again(way):
    """Runs this program inside and ends with its exit status. Any signal ends the world."""
    terminal = _terminal_settings()
    environment = dict(os.environ)
    environment[INSIDE] = "user" if "--user" in way else "root"
    child = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL"] + way + [sys.executable, "-B"] + sys.argv,
        env=environment)

    ended_by = []

    def end(number, _):
        ended_by.append(number)
        child.kill()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
    status = child.wait()
    if ended_by:
        terminal()
        sys.stderr.write("\ninterrupted; every host and agent it made is gone\n")
        os._exit(128 + ended_by[0])
    sys.exit(status if status >= 0 else 128 - status)


def _terminal_settings():
    """What puts the terminal back, should a full-screen program be killed on it."""
    try:
        import termios
        saved = termios.tcgetattr(0)
    except Exception:
        return lambda: None
    return lambda: termios.tcsetattr(0, termios.TCSANOW, saved)


def _begin_inside():
    """We are process 1: leave the work to a child, collect every orphan, end with the child."""
    global folder
    kind = os.environ.pop(INSIDE)
    worker = os.fork()
    if worker != 0:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        while True:
            gone, status = os.wait()
            if gone == worker:
                os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _run(["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", "/run"])
    _run(["ip", "link", "set", "lo", "up"])
    folder = "/run/t"
    os.mkdir(folder, 0o755)
    _hide("/etc/resolv.conf", "")
    if kind == "user":
        _name_avahi_root()


def _begin_without():
    """No namespaces: a temporary folder, and we collect what the agents leave behind."""
    global folder
    import ctypes
    ctypes.CDLL(None, use_errno=True).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    holder = tempfile.TemporaryDirectory(prefix="sa")
    folder = holder.name
    owner = os.getpid()

    def clean():
        if os.getpid() == owner:
            end_children()
            holder.cleanup()

    atexit.register(clean)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))


def end_children():
    """Kills the children of this process, and those they leave to it, a bounded number of times."""
    for _ in range(50):
        found = []
        for task in os.listdir("/proc/self/task"):
            with open(f"/proc/self/task/{task}/children") as file:
                found += [int(word) for word in file.read().split()]
        for child in found:
            try:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
            except (ProcessLookupError, ChildProcessError):
                pass
        if not found:
            return


def _name_avahi_root():
    """avahi-daemon wants /run/avahi-daemon to belong to its own user, and a user namespace made
    by a normal user has only user 0: there, `avahi` is a name for 0."""
    for path, fields in (("/etc/passwd", 2), ("/etc/group", 1)):
        lines = []
        with open(path) as file:
            for line in file:
                if line.startswith("avahi:"):
                    parts = line.rstrip("\n").split(":")
                    parts[2:2 + fields] = ["0"] * fields
                    line = ":".join(parts) + "\n"
                lines.append(line)
        _hide(path, "".join(lines))


def _hide(path, text):
    """Puts a file with `text` over `path`, in this world only."""
    path = os.path.realpath(path)
    if not os.path.isfile(path):
        return
    ours = os.path.join(folder, os.path.basename(path))
    with open(ours, "w") as file:
        file.write(text)
    _run(["mount", "--bind", ours, path])


def _run(argv):
    subprocess.run(argv, check=True)
