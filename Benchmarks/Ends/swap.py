# SPDX-License-Identifier: Apache-2.0
"""Row 8, from inside: two agents on two hosts swap seats; beside it the commits and messages that
the rules ask for, durable commits in the same folders and bare round trips over the same cable, in
turn.

    swap.py ROUNDS SWAPCLOCK STEPS BETWEEN DURABLE
"""

import json
import statistics
import subprocess
import sys

import stage
from agent import Agent
from hosts import Cabin
from waiting import until


def main():
    rounds, swapclock, steps, between, durable = sys.argv[1:]
    stage.enter()
    with Cabin("ada", "bo", avahi=False) as cabin:
        bo = Agent(cabin["bo"], "bo", "12A", options=["--no-mdns"]).board()
        ada = Agent(cabin["ada"], "ada", "14C", peers=[bo], options=["--no-mdns"]).board()
        ada.wait_for(bo)
        bo.wait_for(ada)
        swap(ada, bo, swapclock)
        for _ in range(int(rounds)):
            stage.show("swap", [swap(ada, bo, swapclock)], "us")
            stage.show("steps", [least(cabin, ada.host, bo.host, steps)], "us")
            stage.show("commit", [commit(bo.host, durable)], "us")
            stage.show("round-trip", [round_trip(cabin, between)], "us")


def swap(ada, bo, swapclock):
    """One swap that ada asked for, from bo's yes."""
    held = {holder["name"]: place["seat"] for place in result(ada, "seats")["seats"]
            for holder in place["holders"]}
    result(ada, "swap", seat=held[bo.name], unverified=True)
    request = until("the request is there", lambda: open_requests(bo), pause=0.01)[0]
    line = json.dumps({"id": 2, "op": "accept", "request": request["number"],
                       "contract": request["contract"]})
    took = figure([swapclock, bo.socket_path(), ada.socket_path(), line])
    for agent in (ada, bo):
        until("it is final", lambda agent=agent: not result(agent, "requests")["requests"]
              and result(agent, "requests", all=True)["requests"][-1]["final"], pause=0.01)
    return took[0]


def open_requests(agent):
    return [one for one in result(agent, "requests")["requests"] if one["needs_answer"]]


def result(agent, op, **fields):
    answer = agent.ask(op, **fields)
    assert answer["ok"], answer
    return answer["result"]


def commit(host, durable):
    return statistics.median(figure([durable, f"{host.folder}/durable.db", "100"]))


def least(cabin, ada, bo, steps):
    return between_hosts(cabin, steps, [f"{bo.folder}/steps.db"],
                         [f"{ada.folder}/steps.db", "50"])


def round_trip(cabin, between):
    return between_hosts(cabin, between, [], ["500"])


def between_hosts(cabin, program, serving, asking):
    """The median of what the program at ada's asks of the one at bo's."""
    place = cabin["bo"].address
    server = cabin["bo"].popen([program, "serve", place, *serving],
                               stdout=subprocess.PIPE, text=True)
    port = server.stdout.readline().strip()
    asked = cabin["ada"].run([program, "ask", place, port, *asking])
    server.wait(10)
    return statistics.median(numbers(asked.stdout))


def figure(argv):
    return numbers(subprocess.run(argv, check=True, capture_output=True, text=True).stdout)


def numbers(line):
    return [float(word) for word in line.split()[1:-1]]


if __name__ == "__main__":
    main()
