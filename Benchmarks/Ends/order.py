"""Which functions of the program an agent calls: callgrind's word, put where the linker reads it.

    make order

An agent under callgrind meets three others, with mDNS, and lives for a while: it talks, swaps both
ways, answers commands, leaves, and comes again. What it called is written into
Benchmarks/order.txt, sorted, and the linker puts these functions side by side. The kernel maps
sixteen pages of a file around the one that is asked for, so an agent that calls functions from all
over a program has most of it resident. A name that is not in the program any more does no harm, nor
one that is missing.
See docs/decisions/0007-a-small-part-of-the-program.md.
"""

import os
import re
import subprocess
import sys
import time

import stage
from agent import BINARY, Agent
from hosts import Loopback
from waiting import until

KEPT = f"{stage.ROOT}/Benchmarks/order.txt"
SLOW = 240


class Counted(Agent):
    """An agent under callgrind, which is thirty times slower."""

    def board(self, env=None, wait=True):
        # This valgrind does not read what the linker makes of the compiler's line tables.
        program = f"{self.host.folder}/program"
        subprocess.run(["strip", "--strip-debug", "-o", program, BINARY], check=True)
        self.process = self.host.popen(
            [*counted(self.host), program, "agent", "--profile", self.name, "--seat", self.seat,
             "--name", self.name, "--port", str(self.port), *self.options],
            log=f"{self.name}.log")
        until(f"the agent of {self.name} answers", self.answers, SLOW)
        return self

    def leave(self):
        self.command("down", check=0, timeout=SLOW)
        self.process.wait(SLOW)


def counted(host):
    return ["valgrind", "--tool=callgrind", "--demangle=no",
            f"--callgrind-out-file={host.folder}/calls.%p"]


def main():
    stage.enter()
    host = Loopback("h")
    host.run(["ip", "link", "set", "lo", "multicast", "on"])
    host.start_avahi()
    bo = Agent(host, "bo", "12A").board()
    cy, di = (Agent(host, name, seat).board() for name, seat in (("cy", "12B"), ("di", "12C")))
    ada = Counted(host, "ada", "14C").board()
    for _ in range(2):
        live(ada, bo, [cy, di])
        ada.leave()
        ada.board()
    ada.wait_for(bo, cy, di, seconds=SLOW)
    ada.leave()
    # Beside the agent, the command that people and scripts ask most.
    host.run([*counted(host), f"{host.folder}/program", "status", "--json", "--profile", "bo"],
             timeout=SLOW)
    names = set()
    for file in os.listdir(host.folder):
        if file.startswith("calls."):
            names |= called(f"{host.folder}/{file}", f"{host.folder}/program")
    host.close()
    with open(KEPT, "w") as file:
        file.write("# What an agent calls: made by `make order`, read by the linker.\n")
        file.writelines(f"{name}\n" for name in sorted(names))
    print(f"{len(names)} functions in {os.path.relpath(KEPT, stage.ROOT)}")


def live(ada, bo, others):
    """What one does aboard; some of it twice, in both directions."""
    ada.wait_for(bo, *others, seconds=SLOW)
    watch = ada.watch()
    ada.call("say", "hello", timeout=SLOW)
    bo.call("say", "hello ada")
    ada.call("msg", "bo", "to you alone", timeout=SLOW)
    bo.call("msg", "ada", "and back")
    for first, second in ((ada, bo), (bo, ada)):
        seat = next(seat for seat, name in bo.held().items() if name == second.name)
        first.call("swap", seat, timeout=SLOW)
        second.call("accept", str(second.incoming(SLOW)), "--yes", timeout=SLOW)
        until("the seats changed hands",
              lambda first=first, seat=seat: bo.held().get(seat) == first.name, SLOW)
    for words in (["status"], ["seats"], ["who"], ["peers"], ["log"], ["requests", "--all"]):
        ada.call(*words, timeout=SLOW)
    others[0].leave()
    # Rounds, keep-alives and lists of addresses.
    time.sleep(90)
    others[0].board()
    watch.end()


def called(path, program):
    """Names of the functions of `program` that callgrind's file tells of."""
    names, files, functions, here = set(), {}, {}, False
    with open(path) as file:
        for line in file:
            found = re.match(r"(c?ob|c?fn)=\((\d+)\)(?: (.*))?$", line)
            if not found:
                continue
            kind, number, name = found.groups()
            table = files if kind.endswith("ob") else functions
            if name is not None:
                table[number] = name
            if kind == "ob":
                here = table[number] == program
            elif kind == "fn" and here:
                # `name'2` is the same function, called by itself.
                names.add(table[number].split("'")[0])
    # Where there is no symbol, callgrind gives the address.
    return {name for name in names if not name.startswith("0x")}


if __name__ == "__main__":
    sys.exit(main())
